"""The rendering process: `python -m chimein_gui.adapters.frames.worker KIND`.

It reads requests from standard input and answers on standard output. It can be killed at any time: it keeps no state,
opens no files, and ends when its input does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from chimein_gui.adapters.frames.drawing import CannotDrawError, Drawing
from chimein_gui.adapters.frames.limits import allow_one_sticker, give_up_rights
from chimein_gui.adapters.frames.sheet import sheet_of
from chimein_gui.runtime.worker_messages import MAX_BODY, own_output, read_message, write_message

Draw = Callable[[bytes, int, int], Drawing]


def main(arguments: list[str]) -> int:
    """Render until the other side closes the pipe."""
    draw = _drawer(arguments[0])
    requests, answers = sys.stdin.buffer, own_output()
    give_up_rights()
    write_message(answers, {"ready": True})
    while True:
        try:
            request, data = read_message(requests)
        except EOFError:
            return 0
        allow_one_sticker()
        write_message(answers, *_answer(draw, request, data))


def _drawer(kind: str) -> Draw:
    """Load the library for this kind; nothing can be loaded later."""
    if kind == "tgs":
        from chimein_gui.adapters.frames import lottie

        lottie.warm_up()
        return lottie.draw
    if kind == "video":
        from chimein_gui.adapters.frames import video, webm

        webm.warm_up()
        return video.draw
    if kind == "gif":
        from chimein_gui.adapters.frames import gif

        gif.warm_up()
        return gif.draw
    from chimein_gui.adapters.frames import webm

    webm.warm_up()
    return webm.draw


def _answer(draw: Draw, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        drawing = draw(data, int(request["size"]), int(request["fps"]))
        if most := int(request.get("sheet", 0)):
            return {"sheet": True}, sheet_of(drawing, most)
    except CannotDrawError as error:
        return {"why": str(error)}, b""
    except MemoryError:
        return {"why": "it takes too much memory"}, b""
    except Exception as error:  # noqa: BLE001 - foreign content has endless ways to be wrong; all of them are an answer
        return {"why": f"its content makes no sense ({type(error).__name__})"}, b""
    body = b"".join(drawing.packed)
    if len(body) > MAX_BODY:
        return {"why": "its frames are too large"}, b""
    header = {
        "width": drawing.width,
        "height": drawing.height,
        "fps": drawing.fps,
        "is_premultiplied": drawing.is_premultiplied,
        "sizes": [len(one) for one in drawing.packed],
    }
    return header, body


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
