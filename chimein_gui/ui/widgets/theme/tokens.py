"""The colour tokens and their meanings.

Amber: the operator must decide. Blue: the program or Telegram acts or waits. Red: broken or irreversible. Green: done.
Teal: the current place, and the primary action. Violet: simulated.
"""

from __future__ import annotations

from typing import NamedTuple


class Tokens(NamedTuple):
    """One colour scheme; every value is ``#RRGGBB``."""

    window: str
    pane: str
    card: str
    raised: str
    chat: str
    line: str
    line_strong: str
    text1: str
    text2: str
    text3: str
    accent: str
    accent_soft: str
    accent_text: str
    on_accent: str
    ok: str
    ok_soft: str
    attention: str
    attention_soft: str
    attention_line: str
    danger: str
    danger_soft: str
    info: str
    info_soft: str
    unreal: str
    unreal_soft: str
    out_bubble: str
    in_bubble: str
    draft: str
    track: str
    field: str
    diff_added: str
    diff_added_text: str
    diff_removed: str
    diff_removed_text: str
    dark: bool


LIGHT = Tokens(
    window="#F1F3F5",
    pane="#FAFBFC",
    card="#FFFFFF",
    raised="#EEF0F3",
    chat="#E8ECEF",
    line="#E0E4E8",
    line_strong="#CDD3DA",
    text1="#1B1F24",
    text2="#535C66",
    text3="#616A75",
    accent="#0B7A75",
    accent_soft="#DDF1EF",
    accent_text="#086561",
    on_accent="#FFFFFF",
    ok="#2A7530",
    ok_soft="#E6F4E7",
    attention="#A34A07",
    attention_soft="#FDF3E4",
    attention_line="#D98A3A",
    danger="#B42318",
    danger_soft="#FDECEA",
    info="#1D5FBF",
    info_soft="#E8F0FE",
    unreal="#6D4BC3",
    unreal_soft="#F0EBFB",
    out_bubble="#D6F0E1",
    in_bubble="#FFFFFF",
    draft="#FFF9EF",
    track="#DCE1E6",
    field="#FFFFFF",
    diff_added="#CFEFD6",
    diff_added_text="#14532B",
    diff_removed="#FBD9D5",
    diff_removed_text="#8A1C12",
    dark=False,
)

DARK = Tokens(
    window="#14171C",
    pane="#1A1E25",
    card="#232830",
    raised="#2B313B",
    chat="#15191F",
    line="#2D343E",
    line_strong="#424B57",
    text1="#E6E9EE",
    text2="#AAB3BF",
    text3="#939EAC",
    accent="#3CC7BD",
    accent_soft="#17383A",
    accent_text="#5AD3CA",
    on_accent="#06211F",
    ok="#6CC070",
    ok_soft="#1E3323",
    attention="#F2B155",
    attention_soft="#35291A",
    attention_line="#9C7233",
    danger="#F28B82",
    danger_soft="#3B2020",
    info="#8AB4F8",
    info_soft="#1C2A42",
    unreal="#B79CF5",
    unreal_soft="#2C2542",
    out_bubble="#1F3B33",
    in_bubble="#262C35",
    draft="#29241C",
    track="#333B46",
    field="#1F242C",
    diff_added="#1D4A2C",
    diff_added_text="#A9E5B5",
    diff_removed="#54272A",
    diff_removed_text="#F6B5AF",
    dark=True,
)

LIGHT_HIGH = Tokens(
    window="#F4F5F6",
    pane="#FFFFFF",
    card="#FFFFFF",
    raised="#E9ECEF",
    chat="#F4F5F6",
    line="#5C646D",
    line_strong="#3A4149",
    text1="#000000",
    text2="#16191D",
    text3="#2A2F35",
    accent="#09625E",
    accent_soft="#DDF1EF",
    accent_text="#075753",
    on_accent="#FFFFFF",
    ok="#1F5724",
    ok_soft="#E6F4E7",
    attention="#863D06",
    attention_soft="#FDF3E4",
    attention_line="#8F5B26",
    danger="#9B1E15",
    danger_soft="#FDECEA",
    info="#174C99",
    info_soft="#E8F0FE",
    unreal="#573C9C",
    unreal_soft="#F0EBFB",
    out_bubble="#D6F0E1",
    in_bubble="#FFFFFF",
    draft="#FFF9EF",
    track="#E3E7EB",
    field="#FFFFFF",
    diff_added="#CFEFD6",
    diff_added_text="#14532B",
    diff_removed="#FBD9D5",
    diff_removed_text="#8A1C12",
    dark=False,
)
"""High contrast: 7:1 for texts, 4.5:1 for lines."""

DARK_HIGH = Tokens(
    window="#000000",
    pane="#000000",
    card="#0B0D10",
    raised="#20252C",
    chat="#000000",
    line="#9A9FA6",
    line_strong="#C3CAD3",
    text1="#FFFFFF",
    text2="#EDF0F4",
    text3="#D5DBE3",
    accent="#3CC7BD",
    accent_soft="#0D2B2C",
    accent_text="#5AD3CA",
    on_accent="#000000",
    ok="#72C376",
    ok_soft="#142619",
    attention="#F2B155",
    attention_soft="#2A1F11",
    attention_line="#B08E5C",
    danger="#F28D84",
    danger_soft="#2E1717",
    info="#8AB4F8",
    info_soft="#121F33",
    unreal="#BEA6F6",
    unreal_soft="#211A36",
    out_bubble="#0E2A22",
    in_bubble="#14181D",
    draft="#16120B",
    track="#262C34",
    field="#000000",
    diff_added="#1D4A2C",
    diff_added_text="#ABE6B6",
    diff_removed="#54272A",
    diff_removed_text="#F6B5AF",
    dark=True,
)

IDENTITY = ("#5B6CE1", "#C2557A", "#7A5AC8", "#4A7FB5", "#C0563B", "#B7791F", "#3F8F4F", "#2E8B88")
"""Identity colours of agents in the order of their use; the last ones are similar to a status colour."""

LINE_PAIRS = tuple(
    (line, ground)
    for line in ("line", "line_strong", "attention_line", "accent")
    for ground in ("window", "pane", "card", "chat", "field", "raised", "draft", "attention_soft", "track")
)
"""Pairs of lines and backgrounds that a test checks in the schemes with high contrast."""

TEXT_PAIRS = (
    *(
        (text, ground)
        for text in ("text1", "text2", "text3")
        for ground in ("window", "pane", "card", "chat", "in_bubble", "draft", "field")
    ),
    *(("text2", ground) for ground in ("accent_soft", "out_bubble", "raised", "track")),
    *(("text1", ground) for ground in ("accent_soft", "out_bubble", "raised", "attention_soft", "danger_soft")),
    ("accent_text", "accent_soft"),
    ("accent_text", "pane"),
    ("accent_text", "card"),
    ("on_accent", "accent"),
    ("ok", "pane"),
    ("ok", "card"),
    ("ok", "out_bubble"),
    ("ok", "ok_soft"),
    ("text1", "ok_soft"),
    ("text2", "ok_soft"),
    ("text1", "unreal_soft"),
    ("text2", "unreal_soft"),
    ("attention", "attention_soft"),
    ("attention", "draft"),
    ("attention", "card"),
    ("attention", "pane"),
    ("danger", "danger_soft"),
    ("danger", "card"),
    ("danger", "pane"),
    ("info", "info_soft"),
    ("info", "card"),
    ("info", "pane"),
    ("diff_added_text", "diff_added"),
    ("diff_removed_text", "diff_removed"),
    ("text2", "attention_soft"),
    ("text1", "info_soft"),
    ("text2", "info_soft"),
    ("unreal", "unreal_soft"),
    ("unreal", "pane"),
    ("unreal", "card"),
    ("unreal", "accent_soft"),
)
"""All pairs of text and background tokens that the window uses; a test checks their contrast."""


def colour_names() -> tuple[str, ...]:
    """Return the names of all tokens."""
    return tuple(name for name in Tokens._fields if name != "dark")


def with_more_contrast(tokens: Tokens) -> Tokens:
    """Return the scheme with high contrast for the light or the dark one."""
    return DARK_HIGH if tokens.dark else LIGHT_HIGH
