"""Acts about agents: their files, and their log-ins."""
