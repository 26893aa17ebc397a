"""The first run: from no account to a persona that is logged in, in six steps that can be left at any time."""
