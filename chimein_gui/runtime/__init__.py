"""How the program runs: its event loop, interpreter settings, signals, and the lock on the state directory."""
