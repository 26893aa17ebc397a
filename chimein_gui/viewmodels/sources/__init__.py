"""The editor of agents and prompts: open files with their changes, problems and repairs."""
