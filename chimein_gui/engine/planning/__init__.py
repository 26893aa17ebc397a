"""From a trigger to stored steps: the planner, versions of a plan, history that is fetched for it."""
