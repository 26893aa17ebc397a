"""Victims in a tenth of the time: one process imports everything, and each life is a fork of it.

`python -m tests.kills.zygote PORT_FILE` reads one `Life` a line, lives it to its end and writes how it ended, as the
return code of `subprocess` would be: -9 for a kill.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.runtime import interpreter
from tests.kills.life import Life
from tests.kills.victim import live


def main(port_file: Path) -> int:
    interpreter.set_up()
    description = json.loads(port_file.read_text(encoding="utf-8"))
    model = GeminiModel("sandbox", base_url=description["model_base_url"])
    model.prepare()
    gc.freeze()
    _say("ready")
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                code = live(Life.from_text(line), description, model)
            finally:
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        _say(os.waitstatus_to_exitcode(status))
    return 0


def _say(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
