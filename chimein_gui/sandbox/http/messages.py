"""What a client asks and what it can be answered with."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass

Pieces = AsyncGenerator[bytes, None]
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One request, body included.

    Attributes:
        target: Path and query as sent.
        headers: Names in lower case; of a repeated one the last counts.
        body: Empty where there is none.
        is_too_large: It had more of a body than the server takes; `body` is empty then.
    """

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    is_too_large: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that keeps to HTTP.

    Attributes:
        headers: Without those of the framing: they follow from the body.
        body: Given whole it gets a Content-Length; given in pieces it is sent chunk by chunk as they come.
        delay_s: Sent after so many seconds, or never (inf); a client that hangs up ends the wait.
    """

    status: int
    headers: Headers = ()
    body: bytes | Pieces = b""
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """Bytes as they are, for answers that break the rules; the connection ends with them.

    Attributes:
        pieces: Makes what is written, head included, in order; awaits in between where it likes.
        lingers: Wait after the last piece until the client hangs up, instead of closing.
        delay_s: As of `Answer`.
    """

    pieces: Callable[[], Pieces]
    lingers: bool = False
    delay_s: float = 0.0


async def in_pieces(pieces: Iterable[bytes]) -> Pieces:
    """Give what is there already as a body that comes in pieces."""
    for piece in pieces:
        yield piece
