"""The initial world of `chimein sandbox` as data: its people, its groups and their past messages."""
