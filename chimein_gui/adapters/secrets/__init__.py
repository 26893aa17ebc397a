"""Where secrets are kept: environment, keychain, a private file, or this run only (port `SecretStore`)."""
