"""The SandboxConsole port over the sandbox's control channel."""
