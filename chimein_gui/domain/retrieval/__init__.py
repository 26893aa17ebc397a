"""Web pages that the model looks up: which addresses it may ask for, and what became of them."""
