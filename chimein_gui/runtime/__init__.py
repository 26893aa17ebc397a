"""How the program runs: its loop, its interpreter, its signals, and whose the state directory is."""
