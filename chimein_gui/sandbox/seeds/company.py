"""The friends of the operator's own personas: two for each language, with their past messages."""

from dataclasses import dataclass

from chimein_gui.sandbox.seeds.people import DEDE, JULE, MARTA, OSKAR, TIAGO
from chimein_gui.sandbox.seeds.seed import SeedUser

_FIRST_ID = MARTA + 100


@dataclass(frozen=True, slots=True)
class Friend:
    """Someone who writes to a persona.

    Attributes:
        history: Their past messages, with ``{name}`` for the persona's first name.
        user: The user to create if the world has none with this id; None for an existing one.
    """

    user_id: int
    history: str
    user: SeedUser | None = None


def _new(number: int, first_name: str, last_name: str, about: str, history: str) -> Friend:
    word = f"{first_name}_{last_name.split(' ')[-1]}_box".casefold()
    phone = f"+99966251{number:02}"
    user_id = _FIRST_ID + number
    return Friend(user_id, history, SeedUser(user_id, first_name, last_name, phone, word, about=about))


COMPANY = {
    "en": (
        Friend(MARTA, "Hi {name}! Marta here, we shared a table on the ferry. This is my number now."),
        Friend(OSKAR, "Hello {name}, did you get home all right after the concert?"),
    ),
    "de": (
        Friend(JULE, "Hallo {name}, hier ist Jule. Wir saßen auf der Fähre am selben Tisch."),
        _new(1, "Gesa", "Thoms", "Gärtnerei, auch sonntags", "Moin {name}! Sind Sie gut nach Hause gekommen?"),
    ),
    "fr": (
        Friend(DEDE, "Bonjour {name}, ici Dédé. Nous étions à la même table sur le bac."),
        _new(2, "Maude", "Kerbrat", "relieuse", "Salut {name}, tu es bien rentrée ou rentré après le concert ?"),
    ),
    "pt": (
        Friend(TIAGO, "Olá {name}, é o Tiago. Estivemos à mesma mesa na travessia."),
        _new(3, "Célia", "Ramos", "costura e consertos", "Olá {name}! Chegaste bem a casa depois do concerto?"),
    ),
    "es": (
        _new(4, "Lola", "Ibarra", "librera", "Hola {name}, soy Lola, de la mesa del barco. Este es mi número ahora."),
        _new(5, "Chema", "Ruiz", "bicicletas", "Hola {name}, ¿llegaste bien a casa después del concierto?"),
    ),
    "it": (
        _new(6, "Pia", "Bonetti", "erboristeria", "Ciao {name}, sono Pia, eravamo allo stesso tavolo sul traghetto."),
        _new(7, "Nino", "Sarti", "suona quando piove", "Ciao {name}, tutto bene il ritorno dopo il concerto?"),
    ),
    "nl": (
        _new(8, "Saar", "de Wit", "fietsenmaker", "Hoi {name}, met Saar. We zaten aan dezelfde tafel op de pont."),
        _new(9, "Joost", "Baan", "postduiven", "Hallo {name}, ben je goed thuisgekomen na het concert?"),
    ),
}
"""The friends by language; the neutral voice speaks all of these languages."""
