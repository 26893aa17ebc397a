"""How the program runs: event loop, interpreter settings, signals, lock on the state directory, own processes."""
