"""Speaking without a key: reading the prompt, and finding what is written for it in scenarios and voices."""
