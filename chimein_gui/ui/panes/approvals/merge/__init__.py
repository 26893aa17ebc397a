"""A kept edit, the first draft and the new one side by side, and what is made of them."""
