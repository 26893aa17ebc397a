"""The secrets of a run and their sources; live and sandbox share none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY
from chimein_gui.engine.settings.secrets import SecretCache

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.directories import Directories

VARIABLES = {
    API_ID: "CHIMEIN_TELEGRAM_API_ID",
    API_HASH: "CHIMEIN_TELEGRAM_API_HASH",
    MODEL_KEY: "GEMINI_API_KEY",
}
"""Environment variables with priority over secrets, by secret."""

SANDBOX_KEY = "sandbox"
"""The sandbox's model accepts any key; the real Gemini would refuse this one."""

SANDBOX_SECRETS = {API_ID: "1", API_HASH: SANDBOX_KEY, MODEL_KEY: SANDBOX_KEY}
"""Default secrets of the sandbox."""


def live_secrets(directories: Directories, environment: Mapping[str, str]) -> SecretCache:
    """Return the secrets of a live run, not read yet: environment, keychain, private file.

    The path of the state directory separates them from other state directories in the same keychain.
    """
    from chimein_gui.adapters.files.secrets_file import SecretsFile
    from chimein_gui.adapters.secrets.keychain import Keychain
    from chimein_gui.adapters.secrets.store import LayeredSecretStore

    keychain = Keychain(f"Chimein ({directories.state.resolve()})")
    return SecretCache(LayeredSecretStore(SecretsFile(directories.secrets), keychain, environment, VARIABLES))


def sandbox_secrets(directories: Directories) -> SecretCache:
    """Return the secrets of a sandbox run, not read yet: a private file, without keychain and environment."""
    from chimein_gui.adapters.files.secrets_file import SecretsFile
    from chimein_gui.adapters.secrets.store import LayeredSecretStore

    return SecretCache(LayeredSecretStore(SecretsFile(directories.secrets)), SANDBOX_SECRETS)
