"""The review that a release opens: cards by account, nothing sent and nothing lost by closing it."""
