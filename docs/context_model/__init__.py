"""How the weights of the choice of context are trained and scored: commands, no part of the program."""
