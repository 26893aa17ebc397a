"""Agent files: reading, watching, writing, and their texts for the editor."""
