"""Models that only one pane uses, built on those that several share."""
