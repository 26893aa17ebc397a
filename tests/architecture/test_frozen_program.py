"""The recipe builds, and what it builds shows its window on a machine without Python or our checkout."""

import os
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.architecture.source_tree import ROOT
from tests.support.environment import clean_environment
from tests.support.tour_check import check_tour

pytestmark = pytest.mark.campaign

USED_PLUGINS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["chimein"]["qt-plugins"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the program, about a minute, outside of the checkout."""
    place = tmp_path_factory.mktemp("frozen")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    options = ["--distpath", str(place / "dist"), "--workpath", str(place / "build"), str(ROOT / "build_app.spec")]
    done = subprocess.run(
        command + options, cwd=place, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    return place / "dist" / "chimein" / "chimein"


def test_the_frozen_program_makes_the_tour(program, tmp_path):
    """The sandbox with all that it reads: its scenarios and media, and the samples."""
    (tmp_path / "run").mkdir(mode=0o700)
    environment = clean_environment(tmp_path) | {"PATH": "/usr/bin:/bin"}
    del environment["CHIMEIN_CONFIG_PATH"]
    command = [program, "sandbox", "--tour", "pictures", "--one-look"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=1_800, check=False
    )
    assert done.returncode == 0, done.stderr
    check_tour(tmp_path / "pictures", one_look=True)


def test_the_bundle_holds_what_is_read_at_run_time(program):
    bundle = program.parent / "_internal"
    held = {str(path.relative_to(bundle)) for path in bundle.rglob("*")}
    ours = {path.relative_to(ROOT) for path in (ROOT / "chimein_gui" / "resources").rglob("*")}
    ours |= {"chimein_gui/resources" / path.relative_to(ROOT) for path in (ROOT / "samples").rglob("*")}
    assert set(map(str, ours)) <= held
    assert {"certifi/cacert.pem", "tzdata/zoneinfo/Europe/Berlin"} <= held


@pytest.mark.skipif(sys.platform != "linux", reason="the plugins are judged for Linux")
def test_the_bundle_holds_the_plugins_of_qt_that_are_used_and_no_others(program):
    """One list says which: tests of what they need are in `test_shared_libraries`."""
    plugins = program.parent / "_internal" / "PySide6" / "Qt" / "plugins"
    held = {str(path.relative_to(plugins)) for path in plugins.rglob("*.so")}
    assert {pattern for pattern in USED_PLUGINS if not any(fnmatch(plugin, pattern) for plugin in held)} == set()
    assert {plugin for plugin in held if not any(fnmatch(plugin, pattern) for pattern in USED_PLUGINS)} == set()


def test_what_the_frozen_program_says_can_be_read_where_it_was_started(program, tmp_path):
    environment = clean_environment(tmp_path) | {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [program, "--version"], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"chimein {version('chimein')}\n")


def test_the_bundle_is_not_fat(program):
    size = sum(path.stat().st_size for path in program.parent.rglob("*") if path.is_file() and not path.is_symlink())
    assert size < 300 * 2**20, f"{size / 2**20:.0f} MiB"


@pytest.mark.skipif(os.name != "posix", reason="without a console there is nothing to read")
def test_without_a_display_it_says_what_to_do(program, tmp_path):
    (tmp_path / "run").mkdir(mode=0o700)
    environment = clean_environment(tmp_path) | {"PATH": "/usr/bin:/bin"}
    del environment["QT_QPA_PLATFORM"]
    done = subprocess.run(
        [program], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode not in {0, 134, -6}
    assert done.stderr.strip()
