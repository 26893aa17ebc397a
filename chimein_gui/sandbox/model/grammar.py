"""The reply grammar (SPEC §3), as far as playbooks have to keep it; the product's own reader is the judge in a test."""

import re

_HEADING = re.compile(r"#[ \t]*«(?P<name>[^«»]*)»(?P<argument>.*)")
_WAIT = re.compile(r"(?:delay\s*:\s*)?[-+]?\d{1,9}(?:[.,]\d{1,9})?\s*s?(?:econds?)?", re.IGNORECASE)
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_PLAIN = frozenset({"send", "remember", "think", "block", "unblock", "clear-conversation", "shutdown"})
_KINDS = _PLAIN | {"sticker", "wait", "retrieve"}


def problems_of(reply: str) -> tuple[str, ...]:
    """Return what the product would not accept in a reply; nothing if all is well."""
    found: list[str] = []
    name, argument, body = "send", "", list[str]()
    blocks: list[tuple[str, str, str]] = []
    for line in reply.split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading is None:
            body.append(line)
            continue
        blocks.append((name, argument, "\n".join(body)))
        name, argument, body = heading["name"].strip().casefold(), heading["argument"].strip(), []
    blocks.append((name, argument, "\n".join(body)))
    for name, argument, text in blocks:
        if name not in _KINDS:
            found.append(f"«{name}» is not a type of block")
            continue
        if argument and not (argument.isascii() and argument.isdigit()):
            found.append(f"“{argument}” behind «{name}» is not a message number")
        found += _wrong_body(name, text.strip())
    return tuple(found)


def _wrong_body(name: str, body: str) -> list[str]:
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    if name == "wait" and not _WAIT.fullmatch(body):
        return ["a «wait» needs a line such as “delay: 5”"]
    if name == "sticker" and len(lines) != 2:
        return ["a «sticker» needs two lines: the set and the name"]
    if name == "retrieve" and not any(_URL.fullmatch(line) for line in lines):
        return ["a «retrieve» needs at least one http(s) address on a line of its own"]
    return []
