"""The mode *What-if* of the Prompt pane: an edited prompt is tried, and nothing leaves."""
