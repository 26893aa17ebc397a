"""The prompt as data, its marks, tool calls, and the model's faults."""
