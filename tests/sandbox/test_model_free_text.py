"""Free text: thirty utterances with the kind of answer each must get, through the real google-genai client."""

import pytest

from tests.sandbox.model_talk import RETRIEVE, STICKERS, Talk, asked, read, talking

MARTA = "Marta Oliveira"
LAKE = (
    (MARTA, "The lake was freezing this morning. My dog is called Bruno and he loved it."),
    ("Nora", "Sounds cold!"),
    (MARTA, "Let's meet at the station at half past six tomorrow. Pedro brings the tent."),
    ("Nora", "Great."),
)
SEE = (
    ("Jonas", "Wir treffen uns am Samstag um 10 Uhr am Bahnhof."),
    ("Nora", "Gut!"),
    ("Jonas", "Mein Hund heißt Fips."),
)
PT = (("Rui", "O meu gato chama-se Pimenta e dorme o dia todo."), ("Nora", "Que giro!"))
PAGE = (("https://hut.example/tea", "<h1>Ridge hut</h1><p>The hut opens at nine. A pot of tea costs two euros.</p>"),)

# (talk, language, kinds of blocks, any of these words in what is sent)
UTTERANCES = [
    (Talk("Hi Nora!"), "en", ("send",), ("Hi", "Hey")),
    (Talk("What's my dog's name?", LAKE), "en", ("send",), ("Bruno",)),
    (Talk("When do we meet?", LAKE), "en", ("send",), ("half past six",)),
    (Talk("what did I say about the lake?", LAKE), "en", ("send",), ("The lake was freezing",)),
    (Talk("Can I bring my brother?"), "en", ("send",), ("Yes", "No", "yes")),
    (Talk("Thanks a lot, you saved me"), "en", ("send",), ("welcome", "Any time")),
    (Talk("Good night, I'm off to bed"), "en", ("send",), ("night", "dreams")),
    (Talk("My birthday is on the 4th of March"), "en", ("remember", "send"), ("4th of March",)),
    (Talk("Please remember that I am allergic to walnuts."), "en", ("remember", "send"), ("remember", "forget")),
    (Talk("Have a look: https://hut.example/tea", extra=RETRIEVE), "", ("retrieve",), ()),
    (Talk("How much is the tea? https://hut.example/tea", pages=PAGE, extra=RETRIEVE), "en", ("send",), ("two euros",)),
    (Talk("Where do I live?", tools=("search_memories",)), "", (), ("search_memories",)),
    (Talk("Why is the sea salty?"), "en", ("think", "send"), ("question", "Why", "Because")),
    (Talk("Send me a sticker please", extra=STICKERS), "en", ("send", "sticker"), ("sticker",)),
    (Talk("Tell me a story"), "en", ("send", "wait", "send", "wait", "send"), ("map",)),
    (Talk("???"), "en", ("send",), ("What", "what")),
    (Talk("Is the bridge open again, Nora?", group=True), "en", ("send",), ("Marta",)),
    (Talk("", media="sticker"), "en", ("send",), ("sticker",)),
    (Talk("Olá, tudo bem?", name="Rui"), "pt", ("send",), ("Tudo bem", "Estou bem")),
    (Talk("Como se chama o meu gato?", PT, name="Rui"), "pt", ("send",), ("Pimenta",)),
    (Talk("Obrigado pela ajuda!", name="Rui"), "pt", ("send",), ("nada",)),
    (Talk("Guten Morgen Nora", name="Jonas"), "de", ("send",), ("Hallo",)),
    (Talk("Wann treffen wir uns?", SEE, name="Jonas"), "de", ("send",), ("Samstag um 10 Uhr",)),
    (Talk("Kommst du am Sonntag mit zum See?", name="Jonas"), "de", ("send",), ("Ja", "Nein")),
    (Talk("Lo siento, llego tarde", name="Lucía"), "es", ("send",), ("preocupes", "pasa nada")),
    (Talk("¿Prefieres té o café?", name="Lucía"), "es", ("think", "send"), ("té", "café")),
    (Talk("Спокойной ночи!", name="Олег"), "ru", ("send",), ("Спокойной ночи",)),
    (Talk("おはようございます", name="Aki"), "ja", ("send",), ("こんにちは",)),
    (Talk("สบายดีไหม", name="Nok"), "th", ("send",), ("สบายดี",)),
    (Talk("我很累，今天工作太多了", name="Lin"), "zh", ("think", "send"), ("难过",)),
]


@pytest.mark.operation(
    "generateContent: thirty utterances in nine languages", "the product's own grammar reads the answer"
)
async def test_thirty_utterances_get_the_kind_of_answer_they_ask_for():
    async with talking() as (models, _script):
        for talk, language, kinds, words in UTTERANCES:
            answer = read(await asked(models, talk))
            where = f"{talk.said!r} -> {answer}"
            assert answer.kinds == kinds, where
            if answer.calls:
                assert answer.calls == words, where
                continue
            assert not language or answer.language == language, where
            assert not words or any(word in answer.said for word in words), where
