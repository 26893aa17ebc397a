"""Files that people edit."""
