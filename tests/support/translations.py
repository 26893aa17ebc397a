"""Updates the translations: texts that lupdate finds go into the .ts files, and lrelease makes the .qm files.

`.ci/translations` writes them and lists what is not translated yet; `.ci/translations --check` only reports whether
something is missing. The .ts files are written here, and not by lupdate: it takes `translate("C", "%n …", "", n)` for a
text without plural forms.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.faults.injector import read_offers
from chimein_gui.sandbox.scenes.library import SceneLibrary

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "chimein_gui" / "resources" / "translations"
CODE = ROOT / "chimein_gui"
LANGUAGES = ("de", "en")
ONLY_PLURALS = "en"
"""The language of the texts in the code, which needs only the plural forms."""


class Key(NamedTuple):
    """One text in its context."""

    context: str
    source: str


Forms = tuple[str, ...]
"""One form, or singular and plural."""


def sources() -> set[Key]:
    """Return the texts that lupdate finds in the code, and those that the sandbox offers."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found_de.ts"
        _tool("lupdate", "-silent", "-extensions", "py", "-locations", "none", str(CODE), "-ts", str(found))
        return set(_read(found)) | offered()


def offered() -> set[Key]:
    """Return the titles and summaries of the sandbox's faults and scenarios, whose files hold the English texts."""
    faults = read_offers()
    scenes = SceneLibrary(resource_path("sandbox", "scenarios"), {fault.name: fault.rule for fault in faults})
    lists = (("Faults", faults), ("Scenarios", scenes.scenarios()))
    return {Key(name, text) for name, offers in lists for one in offers for text in (one.title, one.summary)}


def catalogue(language: str) -> dict[Key, Forms]:
    """Return the content of a .ts file; a text that is not translated has an empty form."""
    path = FOLDER / f"chimein_{language}.ts"
    return _read(path) if path.is_file() else {}


def updated(language: str, found: set[Key]) -> dict[Key, Forms]:
    """Return a catalogue with exactly the texts that were found."""
    before = catalogue(language)
    wanted = {key for key in found if language != ONLY_PLURALS or is_plural(key.source)}
    return {key: _forms(language, key.source, before.get(key, ())) for key in sorted(wanted)}


def missing(known: dict[Key, Forms]) -> list[Key]:
    """Return the texts without a translation."""
    return [key for key, forms in known.items() if not all(forms)]


def write_source(language: str, known: dict[Key, Forms]) -> None:
    """Write a .ts file."""
    (FOLDER / f"chimein_{language}.ts").write_text(_xml(language, known), "utf-8")


def compiled(language: str) -> bytes:
    """Return the path of the .qm file of a .ts file."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.qm"
        _tool("lrelease", "-silent", str(FOLDER / f"chimein_{language}.ts"), "-qm", str(made))
        return made.read_bytes()


def is_plural(source: str) -> bool:
    """Return whether a text has plural forms."""
    return "%n" in source or "%Ln" in source


def _forms(language: str, source: str, before: Forms) -> Forms:
    count = 2 if is_plural(source) else 1
    if len(before) == count and all(before):
        return before
    if language == ONLY_PLURALS:
        return source.replace("(s)", ""), source.replace("(s)", "s")
    return ("",) * count


def _read(path: Path) -> dict[Key, Forms]:
    known: dict[Key, Forms] = {}
    for context in ET.parse(path).iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [] if translation is None else [form.text or "" for form in translation.iter("numerusform")]
            single = "" if translation is None else translation.text or ""
            known[Key(name, message.findtext("source", ""))] = tuple(forms) or (single,)
    return known


def _xml(language: str, known: dict[Key, Forms]) -> str:
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", f'<TS version="2.1" language="{language}">']
    context = None
    for key, forms in known.items():
        if key.context != context:
            if context is not None:
                lines.append("</context>")
            context = key.context
            lines += ["<context>", f"    <name>{escape(context)}</name>"]
        plural = is_plural(key.source)
        state = "" if all(forms) else ' type="unfinished"'
        lines += [
            '    <message numerus="yes">' if plural else "    <message>",
            f"        <source>{escape(key.source)}</source>",
        ]
        if plural:
            lines.append(f"        <translation{state}>")
            lines += [f"            <numerusform>{escape(form)}</numerusform>" for form in forms]
            lines.append("        </translation>")
        else:
            lines.append(f"        <translation{state}>{escape(forms[0])}</translation>")
        lines.append("    </message>")
    return "\n".join([*lines, *(["</context>"] if context is not None else []), "</TS>", ""])


def _tool(name: str, *arguments: str) -> None:
    program = Path(sys.executable).parent / f"pyside6-{name}"
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)


def main(arguments: list[str]) -> int:
    """Update the files, or report what is missing."""
    only_check, found, lacking = "--check" in arguments, sources(), 0
    for language in LANGUAGES:
        known = updated(language, found)
        if only_check and known != catalogue(language):
            print(f"chimein_{language}.ts is not up to date: run .ci/translations")
            lacking += 1
        if not only_check:
            write_source(language, known)
            (FOLDER / f"chimein_{language}.qm").write_bytes(compiled(language))
        for context, source in missing(known):
            print(f"{language}: {context}: {source}")
            lacking += 1
        print(f"{language}: {len(known)} texts, {len(missing(known))} not translated")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
