"""Planning, from a trigger to stored steps: the planner, variants of a plan, fetching of missing history."""
