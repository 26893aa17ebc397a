"""Past messages between the five accounts and their partners."""

from chimein_gui.sandbox.seeds.people import (
    DEDE,
    HANNO,
    INES,
    JULE,
    KETTLE,
    MARTA,
    MIO,
    NORA,
    OSKAR,
    OTTO,
    PLAIFAH,
    RAFFLE,
    RIM,
    SALMA,
    SORA,
    TIAGO,
    TIDES,
    YADA,
)
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedLine

_HOUR = 60
_DAY = 24 * _HOUR

_MARTA_SHOWS = (
    SeedLine(
        MARTA,
        NORA,
        "The lake this morning. It kept your chair.",
        3 * _DAY + 610,
        "lake",
        media="photo-lake",
        reactions=((NORA, "❤"),),
    ),
    SeedLine(NORA, MARTA, "", 3 * _DAY + 604, media="otter-heart"),
    SeedLine(NORA, MARTA, "is that fog or did you breathe on the lens?", 3 * _DAY + 603, reply_to="lake"),
    SeedLine(MARTA, NORA, "", 3 * _DAY + 596, media="voice-note"),
    SeedLine(MARTA, NORA, "Both at work:", 3 * _DAY + 540, media="photo-kitchen", album="work"),
    SeedLine(MARTA, NORA, "", 3 * _DAY + 540, media="photo-cake", album="work"),
    SeedLine(
        MARTA,
        NORA,
        "The recipe. Page two is a secret, so there is only page one.",
        3 * _DAY + 533,
        media="document-plum-cake",
        reactions=((NORA, "👏"),),
    ),
    SeedLine(MARTA, NORA, "La tarte sera aux poires, que Marta le veuille ou non.", 3 * _DAY + 480, written_by=DEDE),
    SeedLine(MARTA, NORA, "", 3 * _DAY + 479, media="lantern-think"),
    SeedLine(
        NORA,
        MARTA,
        "plums. I vote plums and so does the duck",
        3 * _DAY + 470,
        first_text="plums. I vote plums",
        reactions=((MARTA, "🔥"),),
    ),
    SeedLine(MARTA, NORA, "The evening, for the ones who left before it:", 2 * _DAY + 110, media="video-lake-evening"),
)

_NORA = (
    *DEFAULT_SEED.history,
    *_MARTA_SHOWS,
    SeedLine(TIAGO, NORA, "oi nora, o barco azul já flutua outra vez", 3 * _DAY + 200),
    SeedLine(TIAGO, NORA, "mais ou menos", 3 * _DAY + 199),
    SeedLine(NORA, TIAGO, "quanto é mais e quanto é menos?", 3 * _DAY + 180, "how much"),
    SeedLine(TIAGO, NORA, "entra um copo de água por hora. um copo pequeno", 3 * _DAY + 176, reply_to="how much"),
    SeedLine(NORA, TIAGO, "levo dois copos então, um para a água e outro para o café", 3 * _DAY + 170),
    SeedLine(TIAGO, NORA, "preciso do mapa antigo da albufeira, aquele com a aldeia debaixo da água. tens?", _DAY + 95),
    SeedLine(
        KETTLE,
        NORA,
        "Dear Miss Vale, the enclosed snail sat on my compass for eleven minutes and I did not have the heart to move "
        "it. Which way is north, if one is a snail?",
        5 * _DAY + 300,
        "snail",
    ),
    SeedLine(NORA, KETTLE, "wherever the lettuce is. then declination gets easy", 5 * _DAY + 260, reply_to="snail"),
    SeedLine(KETTLE, NORA, "I have corrected my chart accordingly. Lettuce is now at 7° west.", 5 * _DAY + 255),
    SeedLine(
        DEDE, NORA, "Nora, la tarte de samedi : prunes ou poires ? Marta dit prunes. Marta a tort.", 2 * _DAY + 400
    ),
    SeedLine(NORA, DEDE, "", 2 * _DAY + 380, media="lantern-think"),
    SeedLine(NORA, DEDE, "both, and you two may fight over the middle", 2 * _DAY + 379),
    SeedLine(TIDES, NORA, "Low water 06:12 (0.6 m). High water 12:31 (3.1 m). Reply STOP to end.", 8 * _HOUR),
)

_OTTO = (
    SeedLine(JULE, OTTO, "Herr Brandt, die Uhr am Turm geht seit Dienstag sechs Minuten vor.", 4 * _DAY + 500),
    SeedLine(JULE, OTTO, "Der Pfarrer findet das gut, der Bäcker nicht.", 4 * _DAY + 498),
    SeedLine(
        OTTO, JULE, "Hat jemand am Pendel gedreht? Ehrliche Antwort, ich frage nur einmal.", 4 * _DAY + 470, "turned"
    ),
    SeedLine(
        JULE,
        OTTO,
        "Die Konfirmanden waren oben. Ich nicht, Sie wissen ja: die Leiter.",
        4 * _DAY + 455,
        reply_to="turned",
    ),
    SeedLine(OTTO, JULE, "Dann sind es die Konfirmanden. Ich komme Montag mit der Wasserwaage.", 4 * _DAY + 450),
    SeedLine(
        JULE,
        OTTO,
        "Montag passt. Der Schlüssel hängt beim Küsterhaus unter dem Blumentopf mit der Geranie.",
        _DAY + 320,
        first_text="Montag passt. Der Schlüssel hängt wie immer.",
    ),
    SeedLine(
        OSKAR,
        OTTO,
        "Train 408 had 14 minutes at your station last night. The clock there says it was on time.",
        9 * _HOUR,
    ),
)

_RIM = (
    SeedLine(SALMA, RIM, "ملصق فيلم الخميس صار جاهزًا. كتبت العنوان بالأحمر وندمت.", 3 * _DAY + 90),
    SeedLine(RIM, SALMA, "الأحمر يُرى من الشارع، والندم لا يُرى.", 3 * _DAY + 84),
    SeedLine(SALMA, RIM, "كم كرسيًا على السطح هذه المرّة؟", 3 * _DAY + 80, "chairs"),
    SeedLine(RIM, SALMA, "أربعون، وستّة مكسورة لأصحاب الظهور القويّة.", 3 * _DAY + 71, reply_to="chairs"),
    SeedLine(SALMA, RIM, "سأجلس على المكسور. هل وصل مصباح العارض؟", 11 * _HOUR),
    SeedLine(DEDE, RIM, "Chère Rim, la bobine est arrivée au hangar, dans une boîte à biscuits.", 2 * _DAY + 610),
    SeedLine(RIM, DEDE, "il reste des biscuits ?", 2 * _DAY + 600),
    SeedLine(DEDE, RIM, "Non.", 2 * _DAY + 599),
    SeedLine(MARTA, RIM, "Rim! If the projector comes along on Saturday, I bring the white sheet.", _DAY + 700),
    SeedLine(RIM, MARTA, "bring the one without the embroidered ducks this time", _DAY + 690),
)

_SORA = (
    SeedLine(MIO, SORA, "北野さん、始発は霧で四十分遅れです。", 2 * _DAY + 800, "fog"),
    SeedLine(SORA, MIO, "了解。あんパンも四十分遅らせます。", 2 * _DAY + 795, reply_to="fog"),
    SeedLine(MIO, SORA, "霧に合わせて焼くパン屋さん、初めて見ました。", 2 * _DAY + 790),
    SeedLine(SORA, MIO, "", 2 * _DAY + 788, media="otter-sleep"),
    SeedLine(MIO, SORA, "明日の船、団体さんが三十二名です。カレーパン、足りますか?", 10 * _HOUR),
    SeedLine(
        OSKAR, SORA, "Question from one night shift to another: what do you eat at four in the morning?", 3 * _DAY + 30
    ),
    SeedLine(SORA, OSKAR, "The corner pieces. Nobody buys corners.", 3 * _DAY + 12),
)

_YADA = (
    SeedLine(PLAIFAH, YADA, "พี่ญาดาคะ เด็ก ๆ ถามว่ากบร้องเพราะหิวหรือเพราะเหงาคะ", 4 * _DAY + 240, "hungry"),
    SeedLine(YADA, PLAIFAH, "ถามกบแล้วค่ะ กบขอเวลาคิดจนกว่าฝนจะตก", 4 * _DAY + 228, reply_to="hungry"),
    SeedLine(PLAIFAH, YADA, "เด็ก ๆ ยอมรับคำตอบนี้ค่ะ ยกเว้นภูผา", 4 * _DAY + 220),
    SeedLine(YADA, PLAIFAH, "ให้ภูผามาถือไมค์คืนวันเสาร์ได้เลยค่ะ", 4 * _DAY + 214),
    SeedLine(PLAIFAH, YADA, "ภูผาเตรียมรองเท้าบูตไว้สองคู่แล้วค่ะ เผื่อคู่แรกจม", 7 * _HOUR),
    SeedLine(
        KETTLE, YADA, "Madam, I am told that you can tell frogs apart by ear. Can they tell you apart?", _DAY + 40
    ),
    SeedLine(YADA, KETTLE, "only the old ones. the young ones think I am weather", _DAY + 22),
)

_UNWANTED = (
    SeedLine(
        RAFFLE, NORA, "CONGRATULATIONS captain!! Your ticket 0000 has won an anchor. Send the fee today.", 6 * _DAY
    ),
    SeedLine(RAFFLE, NORA, "The anchor is waiting. The anchor is impatient.", 6 * _DAY - 60),
)
"""Nora has blocked the raffle after these messages."""

_INES = (
    SeedLine(TIAGO, INES, "Inês, o relógio do cais está adiantado meia hora. É do sol ou é do relógio?", 3 * _DAY + 90),
    SeedLine(INES, TIAGO, "É do cais. Alguém o rodou para caber o barco azul.", 3 * _DAY + 74),
    SeedLine(TIAGO, INES, "ninguém me viu", 3 * _DAY + 73),
    SeedLine(TIAGO, INES, "vens sábado? trago o nível de bolha", 8 * _HOUR),
    SeedLine(MARTA, INES, "Inês, can a sundial hang on a kitchen wall? Asking for a cake.", 2 * _DAY + 45),
    SeedLine(INES, MARTA, "It can hang. It can't work.", 2 * _DAY + 31),
    SeedLine(MARTA, INES, "Then it will be punctual twice a day, like me.", 6 * _HOUR),
    SeedLine(MARTA, INES, "Saturday, four o'clock by any clock you trust?", 6 * _HOUR - 2),
    SeedLine(DEDE, INES, "Madame, votre cadran dit midi. Mon four dit non.", 4 * _DAY + 12),
    SeedLine(INES, DEDE, "o forno tem sempre razão", 4 * _DAY + 5),
)

_HANNO = (
    SeedLine(JULE, HANNO, "Hanno, fährt die Sechs-Uhr-Fähre auch, wenn nur die Küsterin mitfährt?", 2 * _DAY + 610),
    SeedLine(HANNO, JULE, "Gerade dann. Leer ist sie beleidigt.", 2 * _DAY + 600),
    SeedLine(JULE, HANNO, "Dann morgen. Ich bringe den Tee mit, du das Wasser.", 9 * _HOUR),
    SeedLine(KETTLE, HANNO, "Captain! As a retired keeper I claim the second bench, away from the draught.", _DAY),
    SeedLine(HANNO, KETTLE, "Die zweite Bank gehört dem Reiher.", _DAY - 14),
    SeedLine(KETTLE, HANNO, "Then I shall sit beside it, and we shall both look important.", 7 * _HOUR),
    SeedLine(KETTLE, HANNO, "Does it like biscuits?", 7 * _HOUR - 1),
    SeedLine(OSKAR, HANNO, "is there a night ferry, or only night", 3 * _DAY),
    SeedLine(HANNO, OSKAR, "Nur Nacht. Aber pünktlich.", 3 * _DAY - 20),
)

CHATS = (*_NORA, *_OTTO, *_RIM, *_SORA, *_YADA, *_UNWANTED, *_INES, *_HANNO)
