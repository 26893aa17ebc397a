"""Storage of secrets: environment, keychain, a private file, or this run only (port `SecretStore`)."""
