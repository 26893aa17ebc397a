"""The first-run wizard: six steps from no account to a persona that is logged in. It can be left at any step."""
