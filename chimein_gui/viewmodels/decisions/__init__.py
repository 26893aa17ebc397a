"""The decision log: its lines, filters, figures and words."""
