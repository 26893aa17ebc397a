"""What a model answered: its grammar, its faults, and long texts in several messages."""
