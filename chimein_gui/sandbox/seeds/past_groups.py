"""Past messages in the two groups."""

from chimein_gui.sandbox.seeds.people import (
    BOATHOUSE,
    DEDE,
    JULE,
    KETTLE,
    MARTA,
    NORA,
    OSKAR,
    OTTO,
    RIM,
    TIAGO,
    TOWER_KEY,
)
from chimein_gui.sandbox.seeds.seed import SeedLine

_HOUR = 60
_DAY = 24 * _HOUR


def _in_boathouse(who: int, text: str, minutes_ago: int, label: str = "", reply_to: str = "") -> SeedLine:
    return SeedLine(who, BOATHOUSE, text, minutes_ago, label, reply_to)


def _in_tower(who: int, text: str, minutes_ago: int, label: str = "", reply_to: str = "") -> SeedLine:
    return SeedLine(who, TOWER_KEY, text, minutes_ago, label, reply_to)


_BUSY = (
    _in_boathouse(MARTA, "Saturday: who is in? I count boats and forks.", 3 * _DAY + 620, "who"),
    _in_boathouse(TIAGO, "eu e o barco azul. o barco azul vem sentado", 3 * _DAY + 615, reply_to="who"),
    _in_boathouse(DEDE, "Moi. Et la tarte. Aux poires.", 3 * _DAY + 613, "pears", "who"),
    _in_boathouse(
        KETTLE, "I shall attend in person and, weather permitting, in a hat.", 3 * _DAY + 610, reply_to="who"
    ),
    _in_boathouse(MARTA, "Plums, Dédé. We voted.", 3 * _DAY + 608, reply_to="pears"),
    _in_boathouse(OSKAR, "arriving 09:40 if the train believes in saturdays", 3 * _DAY + 590, "train"),
    _in_boathouse(DEDE, "Vous étiez deux à voter, et l'un des deux était un canard.", 3 * _DAY + 588, "duck"),
    _in_boathouse(
        RIM,
        "I bring the projector if somebody carries the battery. it weighs like a small uncle",
        3 * _DAY + 570,
        "battery",
    ),
    _in_boathouse(JULE, "Ich kann tragen. Nur nicht nach oben.", 3 * _DAY + 566, reply_to="battery"),
    _in_boathouse(
        NORA, "i pick oskar up at the station then. the duck voted twice btw", 3 * _DAY + 540, reply_to="train"
    ),
    _in_boathouse(KETTLE, "The duck is a member in good standing.", 3 * _DAY + 538, reply_to="duck"),
    _in_boathouse(TIAGO, "quem tem a chave do hangar???", 2 * _DAY + 300, "key"),
    _in_boathouse(MARTA, "Not me, I gave it to Jule after the mopping.", 2 * _DAY + 297, reply_to="key"),
    _in_boathouse(
        RIM,
        "what do we watch? I have the one with the lighthouse and the one without an ending",
        2 * _DAY + 290,
        "film",
    ),
    _in_boathouse(JULE, "Der Schlüssel ist bei mir, am Haken neben der Sakristei.", 2 * _DAY + 285, reply_to="key"),
    _in_boathouse(OSKAR, "without an ending. i have to leave early anyway", 2 * _DAY + 280, reply_to="film"),
    _in_boathouse(NORA, "lighthouse! for the maps in it", 2 * _DAY + 262, reply_to="film"),
    SeedLine(MARTA, BOATHOUSE, "The dough is resting. So am I.", _DAY + 130, media="photo-kitchen"),
    _in_boathouse(DEDE, "Cette pâte ment.", _DAY + 122),
    _in_boathouse(KETTLE, "Has anybody seen my second-best snail?", 5 * _HOUR),
    _in_boathouse(TIAGO, "ontem estava no remo esquerdo", 5 * _HOUR - 6),
)

_CALM = (
    _in_tower(JULE, "Schlüssel liegt im Küsterhaus.", 6 * _DAY + 700),
    _in_tower(OTTO, "Danke. Ich hole ihn am Montag und bringe ihn am selben Tag zurück.", 6 * _DAY + 640),
    _in_tower(
        OSKAR, "can I photograph the gears one night? I promise not to touch the pendulum", 2 * _DAY + 100, "gears"
    ),
    _in_tower(OTTO, "Das Pendel merkt auch Blicke. Aber ja.", 2 * _DAY + 20, reply_to="gears"),
    _in_tower(JULE, "Ich warte dann unten. Mit Tee.", _DAY + 900),
)

GROUP_TALK = (*_BUSY, *_CALM)
