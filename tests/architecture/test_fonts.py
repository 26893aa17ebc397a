"""Whatever people write in the sandbox can be read on a bare Debian: the set-up asks for a font of each script."""

import re
import unicodedata
from pathlib import Path

from tests.architecture.source_tree import ROOT

DEJAVU = "fonts-dejavu-core"

FONTS = {
    "LATIN": DEJAVU,
    "GREEK": DEJAVU,
    "CYRILLIC": DEJAVU,
    "ARABIC": DEJAVU,
    "HEBREW": DEJAVU,
    "CJK": "fonts-noto-cjk",
    "HIRAGANA": "fonts-noto-cjk",
    "KATAKANA": "fonts-noto-cjk",
    "KATAKANA-HIRAGANA": "fonts-noto-cjk",
    "HANGUL": "fonts-noto-cjk",
    "HALFWIDTH": "fonts-noto-cjk",
    "FULLWIDTH": "fonts-noto-cjk",
    "THAI": "fonts-tlwg-loma-otf",
}
"""A script's name in Unicode → the package with letters of it."""

OF_NO_SCRIPT = {"COMBINING", "VARIATION", "MODIFIER", "MICRO", "FEMININE", "MASCULINE"}

SCENES = ("chimein_gui/sandbox", "chimein_gui/resources/sandbox", "samples")
"""Where what people write in the sandbox comes from."""


def _scripts(text: str) -> set[str]:
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    letters = (letter for letter in set(text) if unicodedata.category(letter)[0] in "LM")
    return {unicodedata.name(letter, "?").split()[0] for letter in letters}


def _packages() -> set[str]:
    lines = (ROOT / ".ci" / "apt.txt").read_text(encoding="utf-8").splitlines()
    return {line.split("#")[0].strip() for line in lines} - {""}


def test_the_set_up_asks_for_a_font_of_every_script_of_the_sandbox():
    files = [
        path
        for folder in SCENES
        for path in Path(ROOT / folder).rglob("*")
        if path.suffix in {".py", ".yaml", ".md", ".toml"}
    ]
    used = set().union(*(_scripts(path.read_text(encoding="utf-8")) for path in files)) - OF_NO_SCRIPT
    assert {"THAI", "CJK", "ARABIC"} <= used
    assert used <= FONTS.keys(), "say which package has letters of these"
    assert {FONTS[script] for script in used} <= _packages()
