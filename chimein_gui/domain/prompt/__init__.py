"""The prompt as data, its marks, and who may write them."""
