"""HTTP requests and the answers to them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass

Pieces = AsyncGenerator[bytes, None]
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One request with its body.

    Attributes:
        target: Path and query as sent.
        headers: Names in lower case; of a repeated header, the last value.
        body: Empty if there is none.
        is_too_large: The body was larger than the server accepts; `body` is empty then.
    """

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    is_too_large: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A valid HTTP answer.

    Attributes:
        headers: Without Content-Length and Transfer-Encoding, which follow from the body.
        body: Bytes are sent with a Content-Length, an iterator of pieces is sent in chunks.
        delay_s: Seconds to wait before sending; inf never sends. It ends early if the client hangs up.
    """

    status: int
    headers: Headers = ()
    body: bytes | Pieces = b""
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """Bytes that are sent unchanged, for invalid answers; the connection ends after them.

    Attributes:
        pieces: Makes the pieces to send, head included; it may await between them.
        lingers: Wait after the last piece until the client hangs up, instead of closing.
        delay_s: As in `Answer`.
    """

    pieces: Callable[[], Pieces]
    lingers: bool = False
    delay_s: float = 0.0


async def in_pieces(pieces: Iterable[bytes]) -> Pieces:
    """Yield existing pieces as a body that is sent in chunks."""
    for piece in pieces:
        yield piece
