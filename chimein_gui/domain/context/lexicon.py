"""Words that show what kind of utterance a message is, in the languages of the product's tests."""

from __future__ import annotations

from types import MappingProxyType

_LISTS = {
    "asks": (
        "how what why where when who which whats hows is are can could does do did anyone anybody any "
        "has should would will como cómo qué que por quién cuándo dónde cuál alguien hay wie was warum "
        "wo wann wer welche kann gibt comment pourquoi quand qui quel quelle est come perché dove quando "
        "chi quale як що чому коли хто как что почему где когда кто какой можно onde quem qual alguém "
        "jak co dlaczego gdzie kiedy kto czy nasıl ne neden nerede kim var kya kyun kaun kab kahan"
    ),
    "agrees": (
        "yes yeah yep yup no nope nah ok okay k sure right true correct exactly indeed agreed fine cool "
        "nice great good ah oh oic hm hmm well maybe both neither same si sí claro vale ja nein doch "
        "genau gut oui non ouais bon sì certo va да нет ага ок хорошо ладно так ні sim não pois tak nie "
        "dobra evet hayır tamam haan nahi accha はい いいえ うん 好 是 不 对 嗯"
    ),
    "thanks": (
        "thanks thx thank ty tnx cheers gracias danke merci grazie спасибо дякую obrigado obrigada "
        "dzięki teşekkürler dhanyavad 谢谢 多谢 ありがとう 감사합니다 감사해요 고마워"
    ),
    "greets": (
        "hi hello hey hiya morning evening yo hola hallo moin servus bonjour salut ciao привет привіт "
        "olá oi cześć merhaba selam namaste 你好 大家好 こんにちは 안녕 안녕하세요"
    ),
    "goes_on": (
        "and but or so because also then though although plus btw however y pero und aber oder et mais "
        "ou e ma и но а і ale ve ama aur"
    ),
    "points": (
        "it that this these those they them he she there his her its eso esto esa lo das es der dies ça "
        "cela ce il elle quello questo это этот тот он она isso isto ele ela to ten tego bu şu o"
    ),
    "self": ("i my me im ive ich mein je mon yo mi я мой у io mio eu meu ja mój ben benim mera main"),
    "you": ("you your u ur youre tu te usted dein du sie vous toi ти вы тебе você ty sen siz tum aap"),
}

KINDS = tuple(_LISTS)
"""Names of the kinds, in the order of their bits."""


def _bits() -> dict[str, int]:
    found: dict[str, int] = {}
    for place, words in enumerate(_LISTS.values()):
        for word in words.split():
            found[word] = found.get(word, 0) | 1 << place
    return found


KIND_BITS = MappingProxyType(_bits())
"""Bits of the kinds that a word indicates."""


def _mask(*names: str) -> int:
    return sum(1 << KINDS.index(name) for name in names)


FIRST = _mask("agrees", "goes_on")
"""Kinds that are detected only by the first word, or by the second after a name."""

EARLY = _mask("asks", "thanks", "greets", "points", "self", "you")
"""Kinds that are detected by any of the first four words."""

ANYWHERE = _mask("thanks", "points", "you")
"""Kinds that are detected by any of the first eight words."""
