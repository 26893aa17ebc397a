"""The world that `chimein sandbox` shows: its people, its groups and their past, as data."""
