"""Problems of a setting, an agent's file, a character card or a proxy's address, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.character_cards import CardReason
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.notes.reasons import AnyReason

CONFIGS: dict[AnyReason, object] = {
    ConfigReason.NO_CONFIG_DIRECTORY: QT_TRANSLATE_NOOP(
        "Reasons", "There is no config folder to write the agent into."
    ),
    ConfigReason.AGENT_NOT_WRITTEN: QT_TRANSLATE_NOOP("Reasons", "The agent can't be written to {words}: {more}."),
    ConfigReason.NAME_HAS_FILE: QT_TRANSLATE_NOOP("Reasons", "The name “{words}” is taken: there is a file {more}."),
    ConfigReason.NAME_IS_USED: QT_TRANSLATE_NOOP("Reasons", "The name “{words}” is taken by {more}."),
    ConfigReason.NUMBER_IS_USED: QT_TRANSLATE_NOOP("Reasons", "The number {words} belongs to “{more}”."),
    ConfigReason.COMES_WITH_CHIMEIN: QT_TRANSLATE_NOOP(
        "Reasons",
        "The agents in {words} come with Chimein; nothing is written there.",
    ),
    ConfigReason.NOT_IN_CONFIG: QT_TRANSLATE_NOOP("Reasons", "{words} is not in one of the config folders."),
    ConfigReason.AGENT_FILE_ODD: QT_TRANSLATE_NOOP(
        "Reasons", "The agent's file {words} is missing, empty or too large."
    ),
    ConfigReason.AGENT_FILE_NO_TEXT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The agent's file {words} is not UTF-8; save it as UTF-8.",
    ),
    ConfigReason.AGENT_FILE_NOT_WRITTEN: QT_TRANSLATE_NOOP(
        "Reasons", "The agent's file {words} can't be written: {more}."
    ),
    ConfigReason.FILE_IS_THERE: QT_TRANSLATE_NOOP("Reasons", "There is a file {words} already."),
    ConfigReason.FILE_NOT_MOVED: QT_TRANSLATE_NOOP("Reasons", "{words} can't be moved: {more}."),
    ConfigReason.PROMPT_IS_USED: QT_TRANSLATE_NOOP(
        "Reasons", "The prompt “{words}” is used by {more}. Remove it from their role prompts first."
    ),
    ConfigReason.PROPOSAL_DECIDED: QT_TRANSLATE_NOOP("Reasons", "This memory was decided meanwhile."),
    ConfigReason.PROPOSAL_STALE: QT_TRANSLATE_NOOP(
        "Reasons", "What this memory rests on has changed. Edit its text, or reject it."
    ),
    ConfigReason.FILE_CHANGED: QT_TRANSLATE_NOOP(
        "Reasons", "{words} was changed by another program meanwhile; open it and look at it first."
    ),
    ConfigReason.SURROGATES: QT_TRANSLATE_NOOP(
        "Reasons", "The text holds half characters that no file can hold. Remove them and save again."
    ),
    ConfigReason.NO_ONE_NUMBER: QT_TRANSLATE_NOOP(
        "Reasons",
        "The file has no “# Agent Phone” with one line below it; write the number there: {words}",
    ),
    ConfigReason.STATE_IN_THE_WAY: QT_TRANSLATE_NOOP(
        "Reasons",
        "The state of “{words}” can't be moved: {more} belongs to an earlier agent of the new"
        " name. Move that folder away, or give the agent another name.",
    ),
    ConfigReason.STATE_NOT_MOVED: QT_TRANSLATE_NOOP("Reasons", "The state of “{words}” can't be moved: {more}."),
    ConfigReason.PREFERENCES_TOO_LARGE: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} is larger than 1 MB, so nothing was changed in it.",
    ),
    ConfigReason.PREFERENCES_UNSAFE: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} is written in a way that can't be changed safely: change it by hand.",
    ),
    ConfigReason.PREFERENCES_NOT_WRITTEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} can't be written: {more}. Nothing has changed.",
    ),
    ConfigReason.PREFERENCES_BROKEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} is broken, so nothing was changed in it: {more}.",
    ),
    ConfigReason.LINK_NOT_NOTED: QT_TRANSLATE_NOOP(
        "Reasons", "The permission for this link could not be saved: {words}."
    ),
    ConfigReason.OTHER_LEVEL_ASKED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The agent's file has changed: it asks for another trust level now. Nothing was confirmed.",
    ),
    ConfigReason.NO_PROXY: QT_TRANSLATE_NOOP("Reasons", "This is not a proxy. {why}"),
    ConfigReason.PROXY_FORMS: QT_TRANSLATE_NOOP(
        "Reasons",
        "Write socks5://host:port or http://host:port (with user:password@ before the host if it asks"
        " for them), or an MTProxy link such as tg://proxy?server=…&port=…&secret=….",
    ),
    ConfigReason.PROXY_BLANKS: QT_TRANSLATE_NOOP(
        "Reasons",
        "A proxy address is short and has no spaces or control characters. {why}",
    ),
    ConfigReason.PROXY_ADDRESS: QT_TRANSLATE_NOOP(
        "Reasons",
        "This is not a proxy address: its host or port can't be read. {why}",
    ),
    ConfigReason.PROXY_ENDS_WITH_PORT: QT_TRANSLATE_NOOP("Reasons", "A proxy address ends with its port. {why}"),
    ConfigReason.PROXY_LINK: QT_TRANSLATE_NOOP("Reasons", "The part of this link after the ? can't be read. {why}"),
    ConfigReason.PROXY_NO_USER: QT_TRANSLATE_NOOP(
        "Reasons",
        "There is a password without a username. Write user:password@ before the host.",
    ),
    ConfigReason.PROXY_NO_HOST: QT_TRANSLATE_NOOP("Reasons", "The proxy's host is missing. {why}"),
    ConfigReason.PROXY_DIGITS: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's numeric address is not valid. Check its digits.",
    ),
    ConfigReason.PROXY_HOST_NAME: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's host is not a server name: only letters, digits, dots and hyphens are allowed.",
    ),
    ConfigReason.PROXY_NO_PORT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's port is missing. Write it after the host, such as proxy.example:1080.",
    ),
    ConfigReason.PROXY_PORT: QT_TRANSLATE_NOOP("Reasons", "The proxy's port is a number from 1 to 65535."),
    ConfigReason.PROXY_PERCENT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's username or password has a % that is not an escape. Write % as %25.",
    ),
    ConfigReason.PROXY_LONG_LOGIN: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's username or password is too long or has control characters.",
    ),
    ConfigReason.PROXY_NO_SECRET: QT_TRANSLATE_NOOP(
        "Reasons",
        "An MTProxy needs its secret: &secret=… at the end of the link.",
    ),
    ConfigReason.PROXY_FAKE_TLS: QT_TRANSLATE_NOOP(
        "Reasons",
        "This MTProxy needs fake TLS (its secret begins with ee), which is not supported. Ask for"
        " a secret that begins with dd, or use a SOCKS5 proxy.",
    ),
    ConfigReason.PROXY_SECRET_LENGTH: QT_TRANSLATE_NOOP(
        "Reasons",
        "The MTProxy's secret has the wrong length: 32 hexadecimal digits, or dd and 32 of them.",
    ),
    ConfigReason.PROXY_SECRET_FORM: QT_TRANSLATE_NOOP(
        "Reasons",
        "The MTProxy's secret is neither hexadecimal nor Base64. Copy it again.",
    ),
    ConfigReason.PROXY_SOCKS4: QT_TRANSLATE_NOOP(
        "Reasons",
        "SOCKS4 is not supported, only SOCKS5. If the proxy can do that, write socks5://. {why}",
    ),
    ConfigReason.PROXY_TLS: QT_TRANSLATE_NOOP("Reasons", "TLS to a proxy is not supported. {why}"),
    ConfigReason.PROXY_WHAT_KIND: QT_TRANSLATE_NOOP(
        "Reasons",
        "Start with the kind of proxy: socks5:// or http://. {why}",
    ),
    ConfigReason.PROXY_UNKNOWN_KIND: QT_TRANSLATE_NOOP("Reasons", "This kind of proxy is not supported. {why}"),
}
"""Marked for translation here and translated when they are shown."""

CARDS: dict[AnyReason, object] = {
    CardReason.TOO_LARGE: QT_TRANSLATE_NOOP(
        "Reasons", "The file is larger than %n MB. Export the character again without pictures and other assets."
    ),
    CardReason.NO_FILE: QT_TRANSLATE_NOOP("Reasons", "The file can't be read. {words}"),
    CardReason.NO_CARD: QT_TRANSLATE_NOOP(
        "Reasons", "There is no character in this file. Choose a character card: PNG, JSON or CHARX."
    ),
    CardReason.PICTURE_WITHOUT_CARD: QT_TRANSLATE_NOOP(
        "Reasons",
        "This picture holds no character. Pictures lose it when a website or a chat converts them:"
        " download the original PNG.",
    ),
    CardReason.LOREBOOK: QT_TRANSLATE_NOOP(
        "Reasons", "This is a lorebook without a character. Choose the card of the character it belongs to."
    ),
    CardReason.CHAT: QT_TRANSLATE_NOOP(
        "Reasons",
        "This is a chat, not a character. Chats of other programs are not imported: their people are unknown here.",
    ),
    CardReason.CUT_OFF: QT_TRANSLATE_NOOP("Reasons", "The file is incomplete. Download it again."),
    CardReason.CHECKSUM: QT_TRANSLATE_NOOP(
        "Reasons", "The picture is damaged: the checksum of its part {words} is wrong. Download it again."
    ),
    CardReason.TOO_MANY_PARTS: QT_TRANSLATE_NOOP(
        "Reasons", "The file has far more parts than a card needs, so it was not read. Use another copy of the card."
    ),
    CardReason.NOT_BASE64: QT_TRANSLATE_NOOP(
        "Reasons", "The character in this picture is damaged (no valid Base64). Export it again."
    ),
    CardReason.NOT_UTF8: QT_TRANSLATE_NOOP(
        "Reasons", "The character's text is not valid UTF-8. Save the card as UTF-8."
    ),
    CardReason.NOT_JSON: QT_TRANSLATE_NOOP("Reasons", "The character's data is not valid JSON. Export the card again."),
    CardReason.TOO_DEEP: QT_TRANSLATE_NOOP(
        "Reasons", "The character's data is nested so deeply that it was not read. Use another copy of the card."
    ),
    CardReason.ARCHIVE_BROKEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "The CHARX archive is damaged, incomplete, encrypted or has two entries of one name. Download it again.",
    ),
    CardReason.ARCHIVE_PATH: QT_TRANSLATE_NOOP(
        "Reasons",
        "The CHARX archive has an entry that leads out of it: {words}. Nothing was unpacked."
        " Do not use this copy of the card.",
    ),
    CardReason.UNPACKED_TOO_LARGE: QT_TRANSLATE_NOOP(
        "Reasons", "Unpacked, the card would take more than %n MB, so it was not read. Use another copy of the card."
    ),
    CardReason.TEXT_TOO_LONG: QT_TRANSLATE_NOOP(
        "Reasons", "The character's texts have more than %n characters. Shorten its description and export it again."
    ),
    CardReason.UNBROKEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "A text of the character has more than %n characters without a space, as nothing that people write."
        " Use another copy of the card.",
    ),
    CardReason.NOT_WRITTEN: QT_TRANSLATE_NOOP("Reasons", "{words} can't be written: {more}. Choose another folder."),
    CardReason.NO_ORIGINAL: QT_TRANSLATE_NOOP(
        "Reasons", "This agent was not made from a character card, or the copy of its card is gone."
    ),
}
