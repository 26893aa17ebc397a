"""What people type: digits, words, names."""
