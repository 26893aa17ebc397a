"""Acts in the run of the first start, whose window is that of a live run and whose config directory is empty."""
