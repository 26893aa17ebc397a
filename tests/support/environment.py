"""Sets up the process before anything of the program, or Qt, is imported.

`tests/conftest.py` imports it first; the import itself makes the changes, because Qt reads its platform when loaded.
"""

import atexit
import gc
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

_SECRETS_AND_HABITS = ("GOOGLE_", "GEMINI_", "CHIMEIN_", "CINDY_", "QT_", "QML", "DBUS_SESSION_BUS_ADDRESS")
_ORDERS = ("CHIMEIN_CAMPAIGN_", "CHIMEIN_RACE_", "CHIMEIN_TEST_")
"""Prefixes of environment variables for the tests themselves, such as the sizes of the campaign's runs."""


def clean_environment(home: Path) -> dict[str, str]:
    """Return the environment variables of a test process: no screen, home, keys or keychain of a user."""
    return {
        "QT_QPA_PLATFORM": "offscreen",
        "QT_API": "pyside6",
        "QT_LOGGING_RULES": "qt.qpa.fonts.warning=false",
        "FONTCONFIG_FILE": str(Path(__file__).with_name("fonts.conf")),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "CHIMEIN_STATE_DIR": str(home / "chimein-state"),
        "CHIMEIN_CONFIG_PATH": str(home / "chimein-config"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


_YOUNG_OBJECTS, _YOUNG_LOOKS, _MIDDLE_LOOKS = 100_000, 50, 1_000
"""Thresholds of the garbage collector: a test ends with a full collection anyway, and with Python's defaults a third of
the time to import all tests, and four fifths of the time to parse the product, is spent on collections."""


_MEMORY = Path("/dev/shm")
_ROOM_BYTES = 4 * 2**30
"""Free space without which the files of tests stay where they usually are."""


def _keep_files_in_memory() -> None:
    """Put temporary files into memory if there is room: a commit waits 2 ms for a disk, and tests make thousands."""
    if not hasattr(os, "statvfs") or not os.access(_MEMORY, os.W_OK):
        return
    there = os.statvfs(_MEMORY)
    if there.f_bavail * there.f_frsize >= _ROOM_BYTES and not there.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def prepare() -> Path:
    """Set a temporary home for this process, remove all inherited keys, keep bytecode, collect garbage seldom.

    Returns:
        The temporary home, which is deleted at the end.
    """
    for name in list(os.environ):
        if name.startswith(_ORDERS):
            continue
        if name.startswith(_SECRETS_AND_HABITS) or name.lower().endswith("_proxy"):
            del os.environ[name]
    # Without files of bytecode each process rewrites the asserts of all tests again: 13 s of CPU time.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    gc.set_threshold(_YOUNG_OBJECTS, _YOUNG_LOOKS, _MIDDLE_LOOKS)
    _keep_files_in_memory()
    home = Path(tempfile.mkdtemp(prefix="chimein-tests-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ.update(clean_environment(home))
    time.tzset()
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CHIMEIN_CONFIG_PATH"):
        Path(os.environ[name]).mkdir()
    Path(os.environ["XDG_RUNTIME_DIR"]).mkdir(mode=0o700)
    return home


HOME = prepare()
