"""Everything about a person: the page, and the confirmation before the person is forgotten."""
