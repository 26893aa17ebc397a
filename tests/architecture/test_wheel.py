"""What a wheel installs is the whole program: it needs no checkout, and of libraries only what the lock names."""

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

import pytest

from tests.architecture.locks import FOR_USE, needed
from tests.architecture.source_tree import ROOT, project_files
from tests.support.environment import clean_environment
from tests.support.tour_check import check_tour

TOUR_S = 1_800
IN_THE_WHEEL = {"chimein_gui": "chimein_gui", "samples": "chimein_gui/resources/samples"}
"""What of the top level a wheel holds, and where."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy: setuptools leaves its work beside the sources."""
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    for file in project_files():
        if file.parts[0] in {*IN_THE_WHEEL, "pyproject.toml", "README.md", "LICENSE"}:
            (source / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, source / file)
    (source / "chimein_gui/resources/samples").symlink_to("../../samples")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    options = ["--wheel-dir", str(place), str(source)]
    done = subprocess.run(
        command + options, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    (built,) = place.glob("*.whl")
    return built


def test_a_wheel_holds_all_that_is_ours_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    ours = {
        str(PurePosixPath(IN_THE_WHEEL[file.parts[0]], *file.parts[1:]))
        for file in project_files()
        if file.parts[0] in IN_THE_WHEEL
    }
    assert held == ours


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """Install the wheel into a fresh environment that has of libraries what the lock for use names, and no more.

    The libraries are those of the environment that runs this, file by file: no test asks an index.
    """
    place = tmp_path / "environment"
    venv.create(place, with_pip=True)
    (packages,) = place.glob("lib/python3.*/site-packages")
    for name in needed(FOR_USE):
        for file in distribution(name).files or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                _lay(Path(str(file.locate())), packages / file)
    command = [str(place / "bin/python"), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stderr
    return place / "bin"


def _lay(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy(source, target)


@pytest.mark.campaign
def test_what_a_wheel_installs_makes_the_tour_from_an_empty_directory(installed, tmp_path):
    (tmp_path / "home/run").mkdir(parents=True, mode=0o700)
    (empty := tmp_path / "empty").mkdir()
    environment = clean_environment(tmp_path / "home") | {"PATH": "/usr/bin:/bin"}
    del environment["CHIMEIN_CONFIG_PATH"]

    def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=empty, env=environment, capture_output=True, text=True, timeout=TOUR_S, check=False
        )

    program = "import chimein_gui.resource_files as r, json; print(json.dumps([r.__file__, str(r.resource_path())]))"
    done = run(installed / "python", "-c", program)
    assert all(Path(path).is_relative_to(installed.parent) for path in json.loads(done.stdout)), done.stderr
    assert run(installed / "python", "-m", "pip", "check").returncode == 0
    done = run(installed / "chimein", "sandbox", "--tour", "pictures")
    assert done.returncode == 0, done.stderr
    check_tour(empty / "pictures")
    assert [path.name for path in empty.iterdir()] == ["pictures"]
