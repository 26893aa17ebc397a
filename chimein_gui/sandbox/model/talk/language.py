"""Which language something is written in: by its script, else by its small words."""

import re
from collections.abc import Iterable
from functools import lru_cache

_SCRIPTS = (
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)
_SMALL_WORDS = {
    "en": """the a an and or but not is are was were be been am i you he she it we they me him her us them my your his
        our their this that these those of to in on at for with from by about as if so than then there here what who
        where when why how which do does did have has had will would can could should shall may might must don't
        doesn't didn't isn't won't can't it's i'm you're that's what's let's i'll i've hello hi hey thanks thank please
        yes good morning night sorry bye just like want know think get going really still now today tomorrow tonight
        too very some any all one two back up out off were into again also only been
        love nice well see come comes say tell make""",
    "de": """der die das den dem des ein eine einen einem einer und oder aber nicht ist sind war waren sein bin bist
        ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen mein dein ihre unser dieser diese dieses
        von zu im am auf für mit aus bei nach über um wenn weil dass so als dann da hier dort was wer wo wann
        warum wie welche welcher habe hast hat haben hatte wird werde werden kann kannst können soll sollen muss darf
        hallo moin danke bitte ja nein guten morgen abend nacht tag tschüss gut schon noch nur auch mal heute gestern
        kein keine sehr doch denn wieder zum zur vom jetzt immer ganz viel mehr alles etwas nichts geht gibt leider
        kommst komme kommt machst mache macht weißt willst will einem sagen""",
    "pt": """o os as um uma uns umas e ou mas não é são foi era ser está estão estou estás eu tu ele ela nós
        eles elas me te lhe meu minha teu tua seu sua nosso este esta isto esse essa isso aquele de do da dos das em no
        na nos nas ao aos à às por para com sem sobre se que quem onde quando porquê quê como qual tem tens tenho há
        vai vou vais pode posso podes olá oi bom boa dia tarde noite obrigado obrigada sim tchau até já ainda também
        muito mais aqui ali hoje amanhã agora pois só bem você quero queres fixe desculpa nada tudo outra vez pelo
        pela fica ficou sei acho mesmo sempre depois antes disse mal vens vem sabes queria nunca""",
    "fr": """le la les l un une des et ou mais pas ne est sont était être suis es je tu il elle on nous vous ils
        elles me te se lui leur mon ma mes ton ta tes son sa ses notre votre ce cet cette ces du de au aux dans sur
        pour avec sans sous par que qui où quand pourquoi comment quel quelle j qu ai as a avons avez ont
        c'est j'ai n'est qu'est d'accord bonjour salut merci oui non bonsoir nuit bien très aussi encore ici
        aujourd'hui demain plus tout fait faut peux peut vais va déjà rien quelque chose jamais toujours alors donc
        désolé désolée au revoir ça toi moi comme vers vas y écoute rire
        pris mis vu à depuis je elle viens vient sais veux""",
    "es": """el la los las un una unos unas y o pero no es son fue era ser está están estoy estás yo tú él ella
        nosotros ellos me te le lo mi tu su nuestro este esta esto ese esa eso aquel de del en al por para con sin
        sobre si que quién qué dónde cuándo cómo cuál porque tiene tienes tengo hay va voy vas puede puedo puedes hola
        buenos buenas días tardes noches gracias sí adiós ya todavía también muy más aquí allí hoy mañana ahora pues
        bien quiero quieres nada todo otra vez siempre nunca después antes solo sé vienes viene sabes
        ha he han usted""",
    "it": """il lo la i gli le un uno una e o ma non è sono era essere sei siamo io tu lui lei noi voi loro mi ti si
        ci vi mio mia tuo tua suo sua questo questa quello quella di del della dei delle da dal in nel nella al alla
        per con senza su sul se che chi dove quando perché come quale ha hai ho hanno abbiamo va vado vai può posso
        puoi ciao buongiorno buonasera buonanotte grazie sì arrivederci già ancora anche molto più qui lì oggi domani
        adesso bene voglio vuoi niente tutto sempre mai dopo prima scusa ne
        a te vieni viene sai stesso possiamo siamo lascio allora cosa""",
    "nl": """de het een en of maar niet is zijn was waren ben bent ik jij je hij zij ze wij we jullie mij me jou hem
        haar ons hun mijn jouw zijn onze deze dit die dat van te in op aan voor met uit bij naar over om als omdat zo
        dan er hier daar wat wie waar wanneer waarom hoe welke heb hebt heeft hebben had wordt word worden kan kunt
        kunnen zal moet mag hallo hoi dag dank bedankt ja nee goedemorgen goedenavond welterusten doei goed al nog
        alleen ook even vandaag morgen gisteren geen heel erg wel weer nu altijd veel meer alles iets niets gaat graag
        sorry ben prima staat kom komt doe doet wil weet""",
}
_TELLING = {
    "en": "",
    "de": "äöüß",
    "pt": "ãõ",
    "fr": "ëîïûœ",
    "es": "ñ¿¡",
    "it": "ìò",
    "nl": "",
}
"""Letters that hardly any of the others has."""
_WORDS = {code: frozenset(word.replace("'", "") for word in text.split()) for code, text in _SMALL_WORDS.items()}
_SHARED = {word: sum(word in words for words in _WORDS.values()) for words in _WORDS.values() for word in words}
_SHORT_AND_CLEAR = frozenset({"hi", "oi", "ja"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NO_WORDS = re.compile(r"https?://\S+|[@#]\w+")
_MUCH = 600
_CLEAR = 0.75


@lru_cache(maxsize=512)
def detect(text: str) -> str:
    """Return the code of a text's language, or nothing if the text does not tell."""
    text = _NO_WORDS.sub(" ", text[:_MUCH])
    letters = sum(map(str.isalpha, text))
    for code, script in _SCRIPTS:
        found = len(script.findall(text))
        if found and found * 3 >= letters:
            return code
    scores = _scores(text)
    best, second = sorted(scores.values(), reverse=True)[:2]
    return max(scores, key=lambda code: scores[code]) if best >= _CLEAR and best - second >= _CLEAR / 3 else ""


def _scores(text: str) -> dict[str, float]:
    """Weigh each word by how few languages have it: “hello” tells, “me” hardly does."""
    folded = text.casefold()
    words = [word.replace("’", "").replace("'", "") for word in _WORD.findall(folded)]
    words += [parts[-1] for word in _WORD.findall(folded) if len(parts := re.split("['’]", word)) > 1]
    scores = {}
    for code, known in _WORDS.items():
        weighed = sum(_weight(word) for word in words if word in known)
        scores[code] = weighed + sum(1.0 for letter in folded if letter in _TELLING[code])
    return scores


def _weight(word: str) -> float:
    """Weigh a word by how many languages have it; of two letters it is often a name, or another language's."""
    return (1.0 if len(word) > 2 or not word.isascii() or word in _SHORT_AND_CLEAR else 0.5) / _SHARED[word]


def language_of(texts: Iterable[str], spoken: tuple[str, ...]) -> str:
    """Return the language of the first text that tells one that is spoken; nothing if none does."""
    return next((code for text in texts if (code := detect(text)) in spoken), "")
