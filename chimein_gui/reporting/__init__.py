"""Reports about a run: logs, crash reports and diagnostics, all without secrets."""
