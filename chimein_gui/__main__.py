"""The command line. Large modules are imported only after the arguments are parsed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from chimein_gui.runtime import interpreter

os.environ.setdefault("QT_API", "pyside6")
# The context selection multiplies small matrices: threads cost it more than they save, and slow the window down.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

OFFSCREEN = frozenset({"offscreen", "minimal", "vnc", "linuxfb", "eglfs"})

NO_DISPLAY = """Chimein needs a display, and there is none here (DISPLAY and WAYLAND_DISPLAY are not usable).
  - Start it from a desktop session, or with `ssh -X`.
  - To look at it without a display: chimein sandbox --tour DIR makes pictures of every pane."""

EXIT_MISUSED = 2
EXIT_NO_DISPLAY = 3

SANDBOX_NEEDS = ("cryptography", "ruamel.yaml")
"""Packages of the extra `sandbox`; nothing else of the product needs them."""

NO_SANDBOX = "The sandbox needs {missing}, not installed here; pip install 'chimein[sandbox]' brings what is missing."

EXIT_NO_SANDBOX = 6

DEFAULT_TOUR = "chimein-tour"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    interpreter.set_up()
    options = _parser().parse_args(arguments)
    if options.draw_frames:
        from chimein_gui.app import draw_frames

        return draw_frames(options.draw_frames)
    if options.read_pages:
        from chimein_gui.app import read_pages

        return read_pages()
    sandbox = options.command == "sandbox"
    if sandbox and (missing := [name for name in SANDBOX_NEEDS if not _is_installed(name)]):
        print(NO_SANDBOX.format(missing=" and ".join(missing)), file=sys.stderr)
        return EXIT_NO_SANDBOX
    tour = options.tour if sandbox else None
    if tour is not None and options.model != "written":
        print("The tour is played with written answers: leave out --model or --tour.", file=sys.stderr)
        return EXIT_MISUSED
    if sandbox and tour is None and not has_display(os.environ):
        tour = Path(DEFAULT_TOUR)
        print(f"There is no display here, so this is the tour: pictures of every pane in {tour.resolve()}", flush=True)
    if tour is not None or options.smoke:
        if not has_display(os.environ) or tour is not None:
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
    elif not has_display(os.environ):
        print(NO_DISPLAY, file=sys.stderr)
        return EXIT_NO_DISPLAY
    return _run(options, sandbox=sandbox, tour=tour)


def _is_installed(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package that it would be in
        return False


def has_display(environment: Mapping[str, str]) -> bool:
    """Return whether Qt would find a display; without one it aborts the process."""
    if sys.platform in {"win32", "darwin"} or environment.get("QT_QPA_PLATFORM", "").split(":")[0] in OFFSCREEN:
        return True
    if environment.get("WAYLAND_DISPLAY"):
        return _wayland_answers(environment)
    return bool(environment.get("DISPLAY")) and _x_answers(environment["DISPLAY"])


def _wayland_answers(environment: Mapping[str, str]) -> bool:
    path = Path(environment.get("XDG_RUNTIME_DIR", "/run")) / environment["WAYLAND_DISPLAY"]
    x_display = environment.get("DISPLAY", "")
    return _connects(str(path)) or bool(x_display and _x_answers(x_display))


def _x_answers(display: str) -> bool:
    """Return whether a local X server answers; a remote one is left to Qt."""
    host, _, rest = display.rpartition(":")
    number = rest.split(".")[0]
    if not number.isdigit():
        return False
    if host not in {"", "unix"}:
        return True
    path = f"/tmp/.X11-unix/X{number}"
    return _connects(path) or (sys.platform == "linux" and _connects(f"\0{path}"))


def _connects(address: str) -> bool:
    import socket  # late: it takes 4 ms

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(2)
        try:
            probe.connect(address)
        except OSError:
            return False
    return True


def _run(options: argparse.Namespace, *, sandbox: bool, tour: Path | None) -> int:
    if tour is not None:
        from chimein_gui.tour import run_tour

        return run_tour(tour, one_look=options.one_look, acts=options.acts)
    interpreter.disable_gc_for_startup()
    from chimein_gui.program import run_live, run_sandbox, run_smoke

    if options.smoke:
        return run_smoke()
    hidden = options.hidden
    return run_sandbox(options.config, options.model, hidden=hidden) if sandbox else run_live(hidden=hidden)


def _parser() -> argparse.ArgumentParser:
    from chimein_gui import __version__

    parser = argparse.ArgumentParser(
        prog="chimein", description="One operator, several personas, and no message that leaves unseen."
    )
    parser.add_argument("--version", action="version", version=f"chimein {__version__}")
    parser.add_argument(
        "--smoke", action="store_true", help="open the window, wait for its first paint, report and end"
    )
    parser.add_argument("--hidden", action="store_true", help="start in the tray, or minimised where there is none")
    parser.add_argument("--draw-frames", choices=("tgs", "webm", "video", "gif"), help=argparse.SUPPRESS)
    parser.add_argument("--read-pages", action="store_true", help=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", title="commands")
    rehearse = commands.add_parser("sandbox", help="the whole product with no account, no key and no internet")
    rehearse.add_argument(
        "--tour",
        type=Path,
        metavar="DIR",
        help="play the main job offscreen and leave pictures of every pane and tour.json in DIR",
    )
    rehearse.add_argument(
        "--config",
        type=_directory,
        metavar="DIR",
        help="rehearse the personas of this config directory (else of CHIMEIN_CONFIG_PATH, else the samples)",
    )
    rehearse.add_argument(
        "--model",
        choices=("written", "gemini"),
        default="written",
        help="who answers: written answers on this computer, or Gemini itself with your own key, which costs money",
    )
    rehearse.add_argument(
        "--one-look",
        action="store_true",
        help="with --tour: most pictures in one colour and size only, which is quicker",
    )
    rehearse.add_argument(
        "--acts",
        type=lambda named: named.split(","),
        default=(),
        metavar="ACT,…",
        help="with --tour: play only these acts, and what they need; a name that is not known lists all",
    )
    parser.set_defaults(tour=None, one_look=False, acts=(), config=None, model="written")
    return parser


def _directory(named: str) -> Path:
    """Return an existing directory; a mistyped name must not look like a directory without personas."""
    path = Path(named).expanduser()
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no directory {named}")
    return path


if __name__ == "__main__":
    sys.exit(main())
