"""Comparison and merge of a saved edit, its original draft and the new draft."""
