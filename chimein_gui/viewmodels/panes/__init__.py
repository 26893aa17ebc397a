"""What one pane alone uses: its models, built on those that several share."""
