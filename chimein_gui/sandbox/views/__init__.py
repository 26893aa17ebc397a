"""Each account's view of the world, and the updates that are pushed to its connections."""
