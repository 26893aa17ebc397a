"""What makes an agent answer: turns, mentions, debounce, takeover, staleness."""
