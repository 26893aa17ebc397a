"""What is kept beside the memory files: their versions, and changes that are not saved yet."""
