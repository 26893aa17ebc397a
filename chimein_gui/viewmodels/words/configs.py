"""Problems of a setting, an agent's file or a proxy's address, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

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
