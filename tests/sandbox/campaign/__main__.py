"""One campaign by hand, or as the process that the test starts: prints the report, and writes it as JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path

from chimein_gui.runtime import interpreter
from tests.sandbox.campaign.run import campaign


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sandbox.campaign", description=__doc__)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, help="where the figures go as JSON")
    parser.add_argument("--keep", type=Path, help="a directory to leave everything in, for a look afterwards")
    options = parser.parse_args()
    interpreter.set_up()
    logging.getLogger().setLevel(logging.INFO if options.keep else logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="chimein-campaign-") as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if options.keep:
            logging.basicConfig(
                filename=folder / "log", format="%(asctime)s.%(msecs)03d %(levelname)s %(name)s: %(message)s"
            )
        report = asyncio.run(campaign(folder, seconds=options.seconds, seed=options.seed))
    if options.report:
        options.report.write_text(json.dumps(report.figures, indent=1), encoding="utf-8")
    print(report.text())
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
