"""Where an edited text or a reason is typed."""
