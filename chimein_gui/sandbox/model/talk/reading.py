"""Parses a YAML file to a `Voice`; the format is described at `read_voice`."""

from chimein_gui.sandbox.model.talk.patterns import Pattern, read_pattern
from chimein_gui.sandbox.model.talk.voice import Entry, Texts, Voice
from chimein_gui.sandbox.scenes.fields import Fields, SceneError
from chimein_gui.sandbox_api import SceneFault

_KEYS = "persona, languages, facts, turns, evasions, warmer, ask_when"


def read_voice(path: str, text: str) -> Voice:
    """Parse a voice.

    A voice has a `persona`, its `languages` (the first one is used until a message's language is known) and:

    * optionally `facts`: ``{topic, ask: {language: patterns}, say: {language: texts}}``, what the persona knows,
    * `turns`: ``{kind, ask, say}`` for small talk, or ``{kind, on: [sticker], say}`` for messages without words,
    * `evasions`, `warmer`, `ask_when`, each by language: answers to what no pattern matches, openings put before a text
      that is to be warmer, and questions put after a text that is to ask for the time,
    * optionally `aliases`: other names by which the persona is addressed.

    A pattern is a few words that must all be in the message, in any order, with or without accents. ``word*`` is a
    prefix, ``!word`` must not be there, ``= ok`` is the whole message. The pattern with the most words wins. A text is
    one message; a line ``---`` separates two. A text that begins with ``# «`` is used unchanged.

    Args:
        path: For error messages.
        text: The file's content.

    Raises:
        SceneError: The file is invalid; the error names file and line.
    """
    top = Fields.of(path, text, _KEYS)
    persona, languages = top.text("persona"), top.texts("languages")
    reader = _Reader(languages)
    facts = tuple(reader.entry(one, "topic") for one in (top.mappings("facts") if "facts" in top else ()))
    turns = tuple(reader.entry(one, "kind") for one in top.mappings("turns"))
    evasions, warmer, ask_when = (
        reader.in_every_language(top.mapping(key)) for key in ("evasions", "warmer", "ask_when")
    )
    aliases = top.texts("aliases") if "aliases" in top else ()
    top.finish()
    return Voice(persona, languages, facts, turns, evasions, warmer, ask_when, aliases, path)


class _Reader:
    """Parses the entries of one voice; knows its languages and the names used so far."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._languages = languages
        self._names: set[str] = set()

    def entry(self, fields: Fields, naming: str) -> Entry:
        name = fields.text(naming)
        if f"{naming} {name}" in self._names:
            raise fields.error(naming, SceneFault.TWICE, naming, name)
        self._names.add(f"{naming} {name}")
        on = frozenset(fields.texts("on")) if naming == "kind" and "on" in fields else frozenset()
        ask: dict[str, tuple[Pattern, ...]] = {}
        if "ask" in fields or not on:
            by_language = fields.mapping("ask")
            ask = {code: _patterns(by_language, code) for code in self._known(by_language)}
        say = self._texts(fields.mapping("say"))
        if self._languages[0] not in say:
            raise fields.error("say", SceneFault.NOTHING_IN, self._languages[0])
        fields.finish()
        return Entry(name, fields.line, ask, say, on)

    def in_every_language(self, fields: Fields) -> Texts:
        found = self._texts(fields)
        missing = [code for code in self._languages if code not in found]
        if missing:
            raise fields.error("", SceneFault.NOTHING_IN, ", ".join(missing))
        return found

    def _texts(self, fields: Fields) -> Texts:
        return {code: fields.texts(code) for code in self._known(fields)}

    def _known(self, fields: Fields) -> list[str]:
        codes = list(fields.keys())
        for code in codes:
            if code not in self._languages:
                raise fields.error(code, SceneFault.NONE_OF, "languages", code, ", ".join(self._languages))
        return codes


def _patterns(fields: Fields, code: str) -> tuple[Pattern, ...]:
    try:
        return tuple(map(read_pattern, fields.texts(code)))
    except SceneError:
        raise
    except ValueError:
        raise fields.error(code, SceneFault.PATTERN, code) from None
