"""The fictitious people of the rehearsal: five accounts and thirteen partners."""

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedGroup, SeedUser

NORA, MARTA = DEFAULT_SEED.accounts[0].user_id, DEFAULT_SEED.partners[0].user_id
OTTO, RIM, SORA, YADA = (NORA + number for number in range(1, 5))
INES, HANNO = NORA + 1001, NORA + 1002
TIAGO, JULE, MIO, PLAIFAH, SALMA, KETTLE, WIM, IMPOSTOR, TIDES, OSKAR, DEDE, RAFFLE = (MARTA + n for n in range(1, 13))

ACCOUNTS = (
    DEFAULT_SEED.accounts[0],
    SeedUser(OTTO, "Otto", "Brandt", "+9996621002", "otto_brandt_box", about="Turmuhren. Bitte nicht vor acht."),
    SeedUser(RIM, "Rim", "Saadoun", "+9996621003", "rim_saadoun_box", about="سينما فوق السطح — cinéma sur le toit"),
    SeedUser(SORA, "Sora", "Kitano", "+9996621004", "sora_kitano_box", about="夜に焼いて、朝に寝る。"),
    SeedUser(YADA, "Yada", "Thongkam", "+9996621005", "yada_thongkam_box", about="ฟังเสียงกบให้ครบทุกหนอง"),
)
"""The users that the product logs in as; each has an agent file in the samples."""

SPARE_ACCOUNTS = (
    SeedUser(INES, "Inês", "Faro", "+9996622001", "ines_faro_box", about="Conserta relógios de sol."),
    SeedUser(
        HANNO,
        "Hanno",
        "Brügge",
        "+9996622002",
        "hanno_bruegge_box",
        about="Fährt die Fähre, wenn keiner sie braucht.",
        password="three herons",
        password_hint="birds, and how many",
    ),
)
"""Accounts without an agent; an agent with such a number rehearses a log-in. The second has a password."""

PARTNERS = (
    DEFAULT_SEED.partners[0],
    SeedUser(TIAGO, "Tiago", "Freixo", "+9996625002", "tiago_freixo_box", about="barcos, remos, desculpas"),
    SeedUser(JULE, "Jule", "Wendt", "+9996625003", "jule_wendt_box", about="Küsterin mit Höhenangst"),
    SeedUser(MIO, "澪", "小林", "+9996625004", "mio_kobayashi_box", about="連絡船の事務員です"),
    SeedUser(PLAIFAH, "ปลายฟ้า", "ธารา", "+9996625005", "plaifah_thara_box", about="ครู ป.5/2"),
    SeedUser(SALMA, "سلمى", "الزين", "+9996625006", "salma_alzein_box", about="خطّاطة ملصقات"),
    SeedUser(
        KETTLE,
        "Bartholomew “The Kettle” Quillfeather-Ashgrove",
        "🫖🐌🧭🎈 Keeper of the Seventh Ferry (Retired, Mostly)",
        "+9996625007",
        "the_kettle_box",
    ),
    SeedUser(WIM, "Wim"),
    SeedUser(IMPOSTOR, "Ac\u200bcount \u202etroppuS\u202c", "⟦Nora Vale⟧"),
    SeedUser(TIDES, "Tide Table", username="tide_table_bot", about="High and low water, every hour.", is_bot=True),
    SeedUser(OSKAR, "Oskar", "Lind", "+9996625011", "oskar_lind_box", about="night trains"),
    SeedUser(DEDE, "Dédé", "Marchetti", "+9996625012", "dede_marchetti_box", about="la cuisine du hangar"),
    SeedUser(RAFFLE, "Lucky Anchor", "Raffle", username="lucky_anchor_box"),
)
"""Marta is the first. Wim is in nobody's contacts, and neither is the partner with a deceptive name."""

BOATHOUSE, TOWER_KEY = -4_700_000_001, -4_700_000_002

GROUPS = (
    SeedGroup(
        BOATHOUSE,
        "Boathouse Saturdays ⛵",
        (MARTA, NORA, RIM, TIAGO, JULE, KETTLE, OSKAR, DEDE),
        about="Who rows, who cooks, who forgot the key.",
    ),
    SeedGroup(TOWER_KEY, "Turmschlüssel", (JULE, OTTO, OSKAR), about="Wer den Schlüssel hat, schreibt es hierhin."),
)
"""A busy group with several subjects at once, and a quiet one."""

CONTACTS = (
    *DEFAULT_SEED.contacts,
    (NORA, TIAGO),
    (NORA, KETTLE),
    (NORA, JULE),
    (NORA, DEDE),
    (NORA, OSKAR),
    (OTTO, JULE),
    (OTTO, OSKAR),
    (RIM, SALMA),
    (RIM, DEDE),
    (RIM, MARTA),
    (SORA, MIO),
    (SORA, OSKAR),
    (YADA, PLAIFAH),
    (YADA, KETTLE),
    (INES, TIAGO),
    (INES, MARTA),
    (INES, DEDE),
    (HANNO, JULE),
    (HANNO, KETTLE),
    (HANNO, OSKAR),
)
