"""What a prompt is made of, and what its answer means."""
