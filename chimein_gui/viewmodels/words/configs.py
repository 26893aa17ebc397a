"""Problems of a setting, an agent's file or a proxy's address, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.notes.reasons import AnyReason

CONFIGS: dict[AnyReason, object] = {
    ConfigReason.NO_CONFIG_DIRECTORY: QT_TRANSLATE_NOOP(
        "Reasons", "There is no config directory to write the agent into."
    ),
    ConfigReason.AGENT_NOT_WRITTEN: QT_TRANSLATE_NOOP("Reasons", "The agent can't be written to {words}: {more}."),
    ConfigReason.NAME_HAS_FILE: QT_TRANSLATE_NOOP("Reasons", "The name “{words}” is taken: there is a file {more}."),
    ConfigReason.NAME_IS_USED: QT_TRANSLATE_NOOP("Reasons", "The name “{words}” is taken by {more}."),
    ConfigReason.NUMBER_IS_USED: QT_TRANSLATE_NOOP("Reasons", "The number {words} is “{more}”’s."),
    ConfigReason.COMES_WITH_CHIMEIN: QT_TRANSLATE_NOOP(
        "Reasons",
        "The agents in {words} come with Chimein; nothing is written there.",
    ),
    ConfigReason.NOT_IN_CONFIG: QT_TRANSLATE_NOOP("Reasons", "{words} is not in one of the config directories."),
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
        "The state of “{words}” can't be moved: {more} belongs to an earlier agent of the new name."
        " Move that directory away, or give the agent another name.",
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
    ConfigReason.LINK_NOT_NOTED: QT_TRANSLATE_NOOP("Reasons", "That the link is allowed could not be noted: {words}."),
    ConfigReason.OTHER_LEVEL_ASKED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The agent's file has changed: it asks for another trust level now. Nothing was confirmed.",
    ),
    ConfigReason.NO_PROXY: QT_TRANSLATE_NOOP("Reasons", "There is no proxy in this. {why}"),
    ConfigReason.PROXY_FORMS: QT_TRANSLATE_NOOP(
        "Reasons",
        "Write socks5://host:port or http://host:port (with user:password@ before the host if it asks"
        " for them), or an MTProxy link such as tg://proxy?server=…&port=…&secret=….",
    ),
    ConfigReason.PROXY_BLANKS: QT_TRANSLATE_NOOP(
        "Reasons",
        "A proxy's address has no blanks or control characters in it and is short. {why}",
    ),
    ConfigReason.PROXY_ADDRESS: QT_TRANSLATE_NOOP(
        "Reasons",
        "This is no address of a proxy: its host or port can't be read. {why}",
    ),
    ConfigReason.PROXY_ENDS_WITH_PORT: QT_TRANSLATE_NOOP("Reasons", "A proxy's address ends with its port. {why}"),
    ConfigReason.PROXY_LINK: QT_TRANSLATE_NOOP("Reasons", "What stands behind the ? of this link can't be read. {why}"),
    ConfigReason.PROXY_NO_USER: QT_TRANSLATE_NOOP(
        "Reasons",
        "There is a password without a user name: write user:password@ before the host.",
    ),
    ConfigReason.PROXY_NO_HOST: QT_TRANSLATE_NOOP("Reasons", "The proxy's host is missing. {why}"),
    ConfigReason.PROXY_DIGITS: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's host looks like a numeric address and is none: check its digits.",
    ),
    ConfigReason.PROXY_HOST_NAME: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's host is no name of a server: letters, digits, dots and hyphens only.",
    ),
    ConfigReason.PROXY_NO_PORT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's port is missing: write it behind the host, such as proxy.example:1080.",
    ),
    ConfigReason.PROXY_PORT: QT_TRANSLATE_NOOP("Reasons", "The proxy's port is a number from 1 to 65535."),
    ConfigReason.PROXY_PERCENT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's user name or password has percent signs that stand for no letter: write % as %25.",
    ),
    ConfigReason.PROXY_LONG_LOGIN: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy's user name or password is too long, or has control characters in it.",
    ),
    ConfigReason.PROXY_NO_SECRET: QT_TRANSLATE_NOOP(
        "Reasons",
        "An MTProxy needs its secret: &secret=… at the end of the link.",
    ),
    ConfigReason.PROXY_FAKE_TLS: QT_TRANSLATE_NOOP(
        "Reasons",
        "This MTProxy disguises itself as a web site (fake-TLS: its secret begins with ee), which"
        " Chimein does not speak. Ask for a secret that begins with dd, or use a SOCKS5 proxy.",
    ),
    ConfigReason.PROXY_SECRET_LENGTH: QT_TRANSLATE_NOOP(
        "Reasons",
        "The MTProxy's secret has the wrong length: 32 hexadecimal digits, or dd and 32 of them.",
    ),
    ConfigReason.PROXY_SECRET_FORM: QT_TRANSLATE_NOOP(
        "Reasons",
        "The MTProxy's secret is neither hexadecimal digits nor base64: copy it anew.",
    ),
    ConfigReason.PROXY_SOCKS4: QT_TRANSLATE_NOOP(
        "Reasons",
        "Chimein speaks SOCKS5, not SOCKS4: is the proxy one? Then write socks5://. {why}",
    ),
    ConfigReason.PROXY_TLS: QT_TRANSLATE_NOOP("Reasons", "Chimein does not speak TLS with a proxy. {why}"),
    ConfigReason.PROXY_WHAT_KIND: QT_TRANSLATE_NOOP(
        "Reasons",
        "Write in front what kind of proxy it is: socks5:// or http://. {why}",
    ),
    ConfigReason.PROXY_UNKNOWN_KIND: QT_TRANSLATE_NOOP("Reasons", "Chimein knows no proxy of this kind. {why}"),
}
"""Marked for translation here and translated when they are shown."""
