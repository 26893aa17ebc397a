"""Guesses the language of an order, so that its fixed answer is in the same one; English if unsure."""

from __future__ import annotations

from chimein_gui.domain.memory.orders.words import all_words_of

ENGLISH = "en"
_MOST_CHARACTERS = 400
_UKRAINIAN = frozenset("іїєґ")


def _common(words: str) -> frozenset[str]:
    return frozenset(words.split())


_COMMON = {
    "de": _common("ich bin der die das ist und nicht mein meine ein eine mag habe heisst kein keine wir am im auf"),
    "fr": _common("je suis le la les est et ne pas mon ma un une j'ai j'aime nous du des au mes avec c'est chez pour"),
    "es": _common("soy el los las es y no mi un una tengo me gusta vivo del con estoy para que yo llama mis puedo"),
    "pt": _common(
        "sou o os as e nao meu minha um uma tenho eu gosto moro do da com estou para que chama meus posso em"
    ),
    "it": _common("sono il lo gli e non mio mia un una ho mi piace vivo del della con per che io chiama posso di"),
}
"""Frequent small words, folded."""


def language_of(text: str) -> str:
    """Return the ISO code of one of the ten languages."""
    cut = text[:_MOST_CHARACTERS]
    if any("\u3040" <= one <= "\u30ff" for one in cut):
        return "ja"
    if any("\u4e00" <= one <= "\u9fff" for one in cut):
        return "zh"
    if any("\u0400" <= one <= "\u04ff" for one in cut):
        return "uk" if _UKRAINIAN.intersection(cut.casefold()) else "ru"
    words = all_words_of(cut)
    scores = {language: sum(word in common for word in words) for language, common in _COMMON.items()}
    best = max(scores, key=lambda language: scores[language])
    is_clear = scores[best] >= 2 and list(scores.values()).count(scores[best]) == 1  # noqa: PLR2004 - one may be chance
    return best if is_clear else ENGLISH
