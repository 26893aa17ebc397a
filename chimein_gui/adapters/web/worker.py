"""The process that reads pages: `python -m chimein_gui.adapters.web.worker`.

It gets pages on standard input and answers on standard output. It can be killed at any time: it keeps no state, opens
no files and no connections, and ends when its input does.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from chimein_gui.adapters.web import text
from chimein_gui.runtime.worker_messages import own_output, read_message, write_message

_MEMORY_BYTES = 768 * 2**20
"""Memory for pages, beyond what the libraries already use."""

_LONGEST_ANSWER = 2**20


def main() -> int:
    """Read pages until the other side closes the pipe."""
    requests, answers = sys.stdin.buffer, own_output()
    text.warm_up()
    _give_up_rights()
    write_message(answers, {"ready": True})
    while True:
        try:
            request, data = read_message(requests)
        except EOFError:
            return 0
        write_message(answers, *_answer(request, data))


def _answer(request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    charset, url = str(request["charset"]), str(request["url"])
    try:
        source = text.decoded(data, charset)
        found = source if request["raw"] else text.readable(source, url)
    except text.NoTextError:
        return {"text": False}, b""
    except MemoryError:
        return {"why": "it takes too much memory"}, b""
    except Exception as error:  # noqa: BLE001 - foreign content has endless ways to be wrong; all of them are an answer
        return {"why": type(error).__name__}, b""
    words, markup = (one[:_LONGEST_ANSWER].encode("utf-8", "replace") for one in (found, source))
    return {"text": True, "text_bytes": len(words)}, words + (b"" if request["raw"] else markup)


def _give_up_rights() -> None:
    """Limit memory, and forbid to open files and connections; what is needed is open and loaded."""
    if sys.platform == "win32":
        return
    import resource

    with open("/proc/self/statm", encoding="ascii") if sys.platform == "linux" else open(os.devnull) as file:  # noqa: PTH123
        pages = file.read().split()
    used = int(pages[0]) * resource.getpagesize() if pages else 4 * 2**30
    for what, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 0),
        (resource.RLIMIT_AS, used + _MEMORY_BYTES),
    ):
        _, hard = resource.getrlimit(what)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (allowed, allowed))


if __name__ == "__main__":
    sys.exit(main())
