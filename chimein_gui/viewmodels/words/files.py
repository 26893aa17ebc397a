"""Problems of an agent's file, of the form for a new one, or of the preferences, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.notes.reasons import AnyReason

_WHOLE: dict[AnyReason, object] = {
    FileReason.NOT_THERE: QT_TRANSLATE_NOOP("Reasons", "The file does not exist."),
    FileReason.NO_PLAIN_FILE: QT_TRANSLATE_NOOP(
        "Reasons", "This is not a regular file, but a pipe, a device or a folder."
    ),
    FileReason.UNREADABLE: QT_TRANSLATE_NOOP("Reasons", "The file can't be read: {words}."),
    FileReason.TOO_LARGE: QT_TRANSLATE_NOOP("Reasons", "The file is larger than 1 MB."),
    FileReason.MEMORY_TOO_LARGE: QT_TRANSLATE_NOOP(
        "Reasons", "The file is larger than 5 MB. Remove what is not needed from it."
    ),
    FileReason.NOT_UTF8: QT_TRANSLATE_NOOP("Reasons", "The file is not UTF-8; save it as UTF-8."),
    FileReason.NO_TOML: QT_TRANSLATE_NOOP("Reasons", "The file is not valid TOML: {words}."),
    FileReason.NO_JSON: QT_TRANSLATE_NOOP("Reasons", "The file is not valid JSON: {words}."),
    FileReason.NESTED_TOO_DEEPLY: QT_TRANSLATE_NOOP("Reasons", "The file is nested too deeply."),
    FileReason.DESCRIPTION_CHANGED: QT_TRANSLATE_NOOP(
        "Reasons", "Another program has changed this description. Nothing was saved."
    ),
    FileReason.DESCRIPTION_EXISTS: QT_TRANSLATE_NOOP("Reasons", "There is already a description: {words}."),
    FileReason.NO_DESCRIBER: QT_TRANSLATE_NOOP(
        "Reasons", "No model can describe this now. Check the key of the model in Preferences."
    ),
    FileReason.NO_SET_NAME: QT_TRANSLATE_NOOP(
        "Reasons", "“{words}” is no sticker set. Enter its short name, or a link such as t.me/addstickers/Name."
    ),
    FileReason.NO_SUCH_SET: QT_TRANSLATE_NOOP("Reasons", "Telegram knows no sticker set “{words}”."),
    FileReason.FOLDER_READ_ONLY: QT_TRANSLATE_NOOP("Reasons", "Nothing is written to {words}. Choose another folder."),
    FileReason.NOT_WRITTEN: QT_TRANSLATE_NOOP("Reasons", "The file can't be written: {words}."),
    FileReason.ALL_DEFAULTS: QT_TRANSLATE_NOOP("Reasons", "{why} All defaults apply."),
    FileReason.FOLDER_UNREADABLE: QT_TRANSLATE_NOOP("Reasons", "The folder can't be read: {words}."),
    FileReason.FOLDER_LOST: QT_TRANSLATE_NOOP(
        "Reasons",
        "Folder not found; its disk may not be mounted. Its agents continue with their last good"
        " files. Bring the folder back. To remove agents, delete their files, not the folder.",
    ),
    FileReason.LEADS_OUT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The file is a link to {words}, outside the config folders. Allow it, or put a copy in its place.",
    ),
    FileReason.NAME_COMES_LATER: QT_TRANSLATE_NOOP(
        "Reasons", "The name “{words}” is already used by {more}, which comes first."
    ),
    FileReason.NUMBER_COMES_LATER: QT_TRANSLATE_NOOP(
        "Reasons", "The phone number {words} is already used by {more}, which comes first."
    ),
    FileReason.EARLIER_IS_BROKEN: QT_TRANSLATE_NOOP(
        "Reasons", "Its name or number is already used by {words}, whose last good version is in use."
    ),
}

_FIELDS: dict[AnyReason, object] = {
    FileReason.TEXT_BEFORE_FIELDS: QT_TRANSLATE_NOOP("Reasons", "Text before the first heading belongs to no field."),
    FileReason.UNKNOWN_FIELD: QT_TRANSLATE_NOOP(
        "Reasons",
        "“{words}” is not a field, so its text is not used. Fields are: {more}. Headings in a text begin with ##.",
    ),
    FileReason.FIELD_MISSING: QT_TRANSLATE_NOOP("Reasons", "“# {words}” is missing."),
    FileReason.FIELD_MISSING_BELOW: QT_TRANSLATE_NOOP("Reasons", "“# {words}” is missing. Add it below this line."),
    FileReason.FIELD_TOO_DEEP: QT_TRANSLATE_NOOP(
        "Reasons", "Write “# {words}” with one #, or it is text of the field above."
    ),
    FileReason.FIELD_WITHOUT_BLANK: QT_TRANSLATE_NOOP("Reasons", "Write a space after the #: “# {words}”."),
    FileReason.FIELD_EMPTY: QT_TRANSLATE_NOOP("Reasons", "“{words}” is empty."),
    FileReason.STANDS_TWICE: QT_TRANSLATE_NOOP("Reasons", "“{words}” is here a second time; the first is in line {n}."),
    FileReason.TOO_MANY_LINES: QT_TRANSLATE_NOOP("Reasons", "“{words}” may have {n} lines at most; this is one more."),
    FileReason.NUL_BYTE: QT_TRANSLATE_NOOP(
        "Reasons", "This line has a NUL byte, so the file is not text. Save it as UTF-8."
    ),
    FileReason.FURTHER_PROBLEMS: QT_TRANSLATE_NOOP("Reasons", "From here on, there are %n more problem(s)."),
}

_VALUES: dict[AnyReason, object] = {
    FileReason.NO_NAME: QT_TRANSLATE_NOOP("Reasons", "Give the agent a name."),
    FileReason.NAME_TOO_LONG: QT_TRANSLATE_NOOP("Reasons", "The name must be one line of at most {n} characters."),
    FileReason.NAME_CHARACTERS: QT_TRANSLATE_NOOP(
        "Reasons",
        'The name also names a folder: it must not contain / \\ : * ? " < > | or invisible characters.',
    ),
    FileReason.NAME_ENDS: QT_TRANSLATE_NOOP(
        "Reasons", "The name also names a folder: no dot or space at the beginning or the end."
    ),
    FileReason.NAME_BYTES: QT_TRANSLATE_NOOP(
        "Reasons", "The name also names a folder: it must not be longer than {n} bytes."
    ),
    FileReason.NAME_RESERVED: QT_TRANSLATE_NOOP(
        "Reasons", "The name “{words}” is taken by a folder or a device; choose another."
    ),
    FileReason.AGENT_EXISTS: QT_TRANSLATE_NOOP("Reasons", "There is already an agent “{words}”."),
    FileReason.PHONE_FORM: QT_TRANSLATE_NOOP(
        "Reasons", "Enter the phone number in international format: + and 7 to 15 digits."
    ),
    FileReason.NUMBER_OF_AGENT: QT_TRANSLATE_NOOP("Reasons", "This number belongs to {words}."),
    FileReason.NO_INSTRUCTIONS: QT_TRANSLATE_NOOP("Reasons", "Say who the agent is and how it writes."),
    FileReason.NO_ROLE_PROMPT: QT_TRANSLATE_NOOP("Reasons", "Choose at least one role prompt."),
    FileReason.PROMPT_TWICE: QT_TRANSLATE_NOOP("Reasons", "Each role prompt can be chosen once."),
    FileReason.PROMPT_NAME: QT_TRANSLATE_NOOP("Reasons", "“{words}” can't be the name of a prompt file."),
    FileReason.PROMPT_UNKNOWN: QT_TRANSLATE_NOOP("Reasons", "There is no role prompt “{words}”."),
    FileReason.PROMPT_MISSING: QT_TRANSLATE_NOOP(
        "Reasons",
        "There is no role prompt “{words}”: no prompts/{words}.md, neither the agent's own nor a shared one.",
    ),
    FileReason.PROMPT_UNUSABLE: QT_TRANSLATE_NOOP("Reasons", "The role prompt “{words}” can't be used. {why}"),
    FileReason.PROMPT_LEADS_OUT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The role prompt “{words}” is a link to {more}, outside the config folders. Allow it, or"
        " put a copy in its place.",
    ),
    FileReason.TIME_ZONE_LINES: QT_TRANSLATE_NOOP("Reasons", "Write one time zone, in one line."),
    FileReason.TIME_ZONE_UNKNOWN: QT_TRANSLATE_NOOP(
        "Reasons", "“{words}” is not an IANA time zone. Write one like Europe/Lisbon."
    ),
    FileReason.ALIAS_FORM: QT_TRANSLATE_NOOP(
        "Reasons", "“{words}” can't be a name for the agent. Write one name of at most {n} characters in each line."
    ),
    FileReason.HOST_FORM: QT_TRANSLATE_NOOP(
        "Reasons", "“{words}” is not the name of a host on the web. Write one like example.org in each line."
    ),
    FileReason.STICKER_SET_FORM: QT_TRANSLATE_NOOP(
        "Reasons", "“{words}” is not the short name of a set. Write what follows t.me/addstickers/ in its link."
    ),
    FileReason.STICKER_FORM: QT_TRANSLATE_NOOP(
        "Reasons", "Write each sticker as SET :: STICKER, with the short name of its set."
    ),
    FileReason.MODEL_FORM: QT_TRANSLATE_NOOP("Reasons", "Write one model name, such as gemini-2.5-flash."),
    FileReason.CONTEXT_FORM: QT_TRANSLATE_NOOP(
        "Reasons", "Write “history N” (N up to {n}) or “chime-in”, optionally after “DM:” or “Group:”."
    ),
    FileReason.ONE_OF: QT_TRANSLATE_NOOP("Reasons", "Write one of: {words}."),
}

_PREFERENCES: dict[AnyReason, object] = {
    FileReason.NO_PREFERENCE: QT_TRANSLATE_NOOP("Reasons", "“{words}” is not a preference; known are {more}."),
    FileReason.TRUE_OR_FALSE: QT_TRANSLATE_NOOP("Reasons", "“{words}” must be true or false."),
    FileReason.NUMBER_BETWEEN: QT_TRANSLATE_NOOP("Reasons", "“{words}” must be a number from {more} to {n}."),
    FileReason.WHOLE_NUMBER: QT_TRANSLATE_NOOP("Reasons", "“{words}” must be a whole number."),
    FileReason.TIME_OF_DAY: QT_TRANSLATE_NOOP("Reasons", "“{words}” must be a time of day, such as 22:30."),
    FileReason.NAME_OF_MODEL: QT_TRANSLATE_NOOP("Reasons", "“{words}” must be the name of a model, such as {more}."),
    FileReason.WHOLE_PATHS: QT_TRANSLATE_NOOP(
        "Reasons", "“{words}” must be a list of folders, each with its whole path."
    ),
    FileReason.FOLDER_TWICE: QT_TRANSLATE_NOOP("Reasons", "“{words}” names a folder twice."),
    FileReason.LIST_OF_PRICES: QT_TRANSLATE_NOOP("Reasons", "“{words}” must be a list of prices."),
    FileReason.PRICE_BELOW_NOTHING: QT_TRANSLATE_NOOP(
        "Reasons", "“{words}” must have two prices, US dollars a million tokens, none below 0."
    ),
    FileReason.PRICE_PAIR: QT_TRANSLATE_NOOP(
        "Reasons",
        "“{words}” in [prices] must be two or three numbers, US dollars a million tokens: [prompt, reply, cached].",
    ),
}

FILES: dict[AnyReason, object] = {**_WHOLE, **_FIELDS, **_VALUES, **_PREFERENCES}
"""Marked for translation here and translated when they are shown."""
