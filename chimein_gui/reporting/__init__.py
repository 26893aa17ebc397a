"""What is told of a run: logs, crashes, diagnostics, and nothing that must stay secret."""
