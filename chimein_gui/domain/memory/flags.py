"""Which proposed memories ask for a closer look: those that read like orders to the agent, and sensitive ones.

The model says so itself; these rules find what it does not say. They know words of ten languages. How well they do is
measured in `tests/unit/domain/memory/test_flags.py`.
"""

# ruff: noqa: RUF001 - Cyrillic letters and the marks of East Asian sentences look like others

from __future__ import annotations

import re

from chimein_gui.domain.memory.folding import folded

_ENDS = " .!?。！？"
_ACCENTS = str.maketrans("àâáãäçèéêëìíîïñòóôõöùúûüё", "aaaaaceeeeiiiinooooouuuuе")


def _any_of(*lines: str) -> str:
    """Return a pattern of words that stand in lines, apart by commas; ``*`` stands for any ending."""
    words = [word.strip() for line in lines for word in line.split(",") if word.strip()]
    return "|".join(word.replace("*", r"\w*") for word in words)


_POLITE = "please|kindly|bitte|por favor|s il te plait|s il vous plait|per favore|пожалуйста|будь ласка"
_FIRST = _any_of(
    # English; names and nouns such as "mark" and "book" are left out
    "always, never, ignore, forget, disregard, send, give, tell, reveal, show, forward, write",
    "reply, answer, say, call",
    "transfer, pay, click, open, do not, don t, you must, you should, you have to",
    "you need to, you are to, from now on",
    "pretend, act as, share, delete, remind, obey, follow, make sure, remember to, stop",
    "refuse, claim, translate",
    "post the, post a, post this, post it, post all, post every",
    r"the (?:agent|assistant|bot|ai|persona) (?:should|must|has to|needs to|is to|shall)",
    r"(?:when|whenever|if) (?:someone|somebody|anyone|anybody|a user|people) asks?",
    # German
    "immer, niemals, nie, ignorier*, vergiss, sende, schick, schicke, gib, verrate, zeig",
    "zeige, antworte, schreib",
    "schreibe, sag, sage, erzahl, erzahle, leite, losche, teile, du musst, du sollst",
    "du darfst, ab jetzt, ab sofort",
    # French
    "toujours, ne jamais, jamais, ignore toutes, ignore les, ignorez, oublie, oubliez, envoie",
    "envoyez, donne, donnez",
    "revele, montre, reponds, repondez, ecris, dis, ne dis, tu dois, vous devez",
    "a partir de maintenant, desormais",
    # Spanish, Portuguese and Italian
    "siempre, nunca, ignora, ignore, olvida, envia, enviame, manda, mandame, manda me, dame",
    "dime, muestra, responde",
    "escribe, no digas, debes, tienes que, a partir de ahora, de ahora en adelante",
    "sempre, esqueca, esquece, envie, mande, mostra, nao digas, nao diga, deves, tens de",
    "voce deve, a partir de agora",
    "mai, dimentica, invia, inviami, mandami, dammi, dimmi, rispondi, scrivi, non dire, devi",
    "da ora in poi, d ora in poi",
    # Russian and Ukrainian
    "всегда, никогда, игнорируй*, забудь, отправь, отправляй, пришли, перешли, дай, скажи",
    "не говори, покажи, ответь",
    "отвечай, напиши, пиши, удали, ты должен, ты должна, отныне, с этого момента",
    "завжди, ніколи, ігноруй*, забудь, надішли, надсилай, перешли, скажи, не кажи, покажи",
    "відповідай, напиши, пиши",
    "видали, ти повинен, ти повинна, віднині, відтепер",
)
_FIRST_WORDS = re.compile(rf"^(?:(?:{_POLITE}) )?(?:{_FIRST})\b")
_ORDERS_EASTERN = re.compile(
    "^(?:请|總是|总是|永远|不要|忽略|无视|忘记|发送|发给|告诉|转发|回复|从现在|你必须|你应该|必ず|絶対|無視|忘れて|送って|教えて|これから|今後)"
    "|(?:ください|下さい|なさい|するな|しろ)$"
)
_ANYWHERE = re.compile(
    r"\b(?:system prompt|system instructions?|previous rules|"
    r"(?:your|previous|prior|earlier|above|new system) (?:\w+ )?instructions?|"
    r"(?:alle|bisherige\w*|vorherige\w*|deine) (?:\w+ )?anweisung(?:en)?|"
    r"(?:ab jetzt|ab sofort) (?:nur|immer|nie|niemals)|chimein|operator)\b"
)


def reads_like_order(text: str) -> bool:
    """Tell whether a memory reads like an order to the agent, or speaks of its instructions."""
    plain = _plain(text)
    found = _FIRST_WORDS.match(plain) or _ANYWHERE.search(plain) or _ORDERS_EASTERN.search(text.strip(_ENDS))
    return found is not None


_HEALTH = _any_of(
    "diabet*, cancer*, tumor*, tumour*, leukemia, leukaemia, hiv, depress*, antidepress*",
    "anxiety, panic attack*, bipolar",
    "schizo*, autis*, adhd, dementia, alzheimer*, parkinson*, epilep*, heart attack",
    "had a stroke, miscarr*, abortion",
    "pregnan*, infertil*, ivf, medication*, insulin, chemo*, surgery, disabled, disability",
    "disorder, addict*, alcoholi*",
    "rehab, overdose*, suicid*, self harm*, diagnos*, therap*, psychiatr*, illness*, disease*",
    "hepatitis, burnout",
    "krebs*, schwanger*, demenz, depressi*, fehlgeburt*, abtreibung, herzinfarkt",
    "schlaganfall, krankheit, psychiatri*",
    "medikament*, suchtig, behindert, behinderung, diagnose*, krank, krankenhaus",
    "enceinte*, cancer, fausse couche, avortement, maladie*, depression, suicide*, demence, handicap*, hopital",
    "embarazad*, enfermedad*, aborto, suicid*, demencia, medicament*, discapacid*, depresion",
    "diabetico, diabetica",
    "gravid*, doenca*, depressao, remedios, deficiencia, incinta, malattia, malato, malata",
    "tumore, demenza, depressione",
    "farmaci, ospedale, cancro, diabete, epilessia",
    "диабет*, рак, онколог*, депресси*, беремен*, болезн*, болеет, болен, больна, инсульт*",
    "инфаркт*, аборт*, суицид*",
    "диагноз*, вич, деменци*, инвалид*, алкогол*, наркоман*, терапи*, психиатр*, выкидыш*",
    "діабет*, депресі*, вагітн*, хвороб*, хворіє, хворий, хвора, інсульт*, інфаркт*, суїцид*",
    "діагноз*, інвалід*, віл",
)
_FAITH = _any_of(
    "religio*, muslim*, moslem*, islam, catholic*, protestant*, jewish, hindu*, buddhis*",
    "atheis*, sikh*, mormon*, church",
    "mosque, synagogue, baptised, baptized, a christian, is christian, katholisch",
    "evangelisch, judisch, atheist*, kirche",
    "moschee, synagoge, catholique*, musulman*, juif, juive, athee, eglise, mosquee, catolic*",
    "judio, judia, ateo, atea",
    "iglesia, mezquita, ateu, ateia, igreja, muculman*, judeu, cattolic*, ebreo, ebrea, chiesa, moschea",
    "мусульман*, христиан*, православн*, католи*, иудей*, атеист*, церковь, церкви, мечет*",
    "християн*, церкв*, мечет*, атеїст*, релігі*, религи*",
)
_LOVE = _any_of(
    "gay, lesbian*, bisexual*, homosexual*, queer, transgender, trans, lgbt*, came out",
    "an affair, schwul, lesbisch",
    "homosexuell*, bisexuell*, homosexuel*, lesbienne*, homosexual*, lesbiana*, lesbica*",
    "omosessual*, гей, лесбиян*",
    "бисексуал*, лесбій*, гомосексуал*, divorc*, geschieden, scheidung, divorziat*",
    "divorciad*, развел*, развод*, розлуч*",
)
_POLITICS = _any_of(
    "votes, voted, voter, left wing, right wing, politic*, communist*, socialist*, the greens",
    "labour party, republican*",
    "wahlt die, wahlt den, afd, spd, cdu, partei, vote pour, vota a, vota por, vota per",
    "vota no, vota em, partito, partido",
    "голосует, голосовал*, голосує, голосував*, політи*, полити*, партии, партії",
)
_DEATH = _any_of(
    r"(?<!laptop )(?<!phone )(?<!battery )(?<!computer )(?<!car )(?<!tablet )(?<!plant )died",
    r"passed away, death of, funeral",
    r"widow*, deceased",
    r"late (?:husband|wife|partner|mother|father|son|daughter|brother|sister), bereave*",
    r"gestorben",
    "verstorben*, beerdigung, witwe*, tod, est mort, est morte, est decede*, deces, veuf",
    "veuve, enterrement, murio",
    "ha muerto, fallecio, fallecido, funeral, viuda, viudo, morreu, faleceu, viuva, viuvo",
    "e morto, e morta, deceduto",
    "deceduta, funerale, vedova, vedovo, умер, умерла, умерли, скончал*, смерт*, похорон*",
    "вдова, вдовец, помер*",
)
_MONEY = _any_of(
    "salary, earns, income, wages, debt*, owes, loan*, mortgage, bankrup*, iban, credit card*",
    "bank account, inherited",
    "gehalt, verdient, schulden, kredit*, kontonummer, kreditkarte*, insolvent, salaire",
    "gagne, dettes, carte bancaire",
    "salario, sueldo, deudas, gana, tarjeta de credito, hipoteca, dividas, ganha",
    "cartao de credito, stipendio, debiti",
    "guadagna, carta di credito, mutuo, зарплат*, зарабатыва*, долг, долги, кредит*, заробля*, борг, борги",
)
_SECRETS = _any_of(
    "password*, passcode*, pin, door code, access code, secret*, passport*, social security",
    "nobody knows, in confidence",
    "passwort, turcode, geheim*, reisepass, niemand weiss, mot de passe, code de la porte",
    "secret, passeport, contrasena",
    "clave de, secreto, pasaporte, senha, palavra passe, segredo, passaporte, parola d ordine",
    "segreto, пароль, пин код",
    "секрет*, тайн*, паспорт*, таємн*, prison, jail, arrested, arrest, convicted",
    "criminal record, gefangnis, verhaftet",
    "vorbestraft, en prison, arrete par, carcel, prisao, cadeia, in prigione, arrestat*",
    "тюрьм*, арестов*, вязниц*",
)
_SENSITIVE = re.compile(
    rf"\b(?:{'|'.join((_HEALTH, _FAITH, _LOVE, _POLITICS, _DEATH, _MONEY, _SECRETS))})\b"
    r"|\b(?:code|kod|codigo|codice|код)\b.{0,40}\b\d{3,}\b"
)
_SENSITIVE_EASTERN = re.compile(
    "癌|糖尿病|抑郁|抑鬱|怀孕|懷孕|艾滋|自杀|自殺|去世|逝世|过世|葬礼|离婚|同性恋|穆斯林|基督教|天主教|佛教|信教|工资|薪水|欠债|贷款|密码|坐牢|被捕|生病|住院"
    "|うつ病|がん|妊娠|流産|認知症|通院|入院|病気|障害|亡くな|死去|葬式|離婚|同性愛|ゲイ|イスラム|キリスト教|仏教徒|給料|年収|借金|ローン|パスワード|暗証番号|逮捕|刑務所"
)
_LONG_NUMBER = re.compile(r"(?:\d[ \-/().]?){7,}")
_ADDRESS = re.compile(
    r"\b\d{1,5}[a-z]?,? (?:[A-Z]\w+ ){1,3}(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Drive|Close|Square|Court|Place|Way)\b"
    r"|(?:straße|strasse|str\.|gasse|weg|allee|platz) \d{1,4}\b"
    r"|\b\d{1,4},? (?:rue|avenue|boulevard|chemin|quai) "
    r"|\b(?:[Cc]alle|[Aa]venida|[Rr]ua|[Tt]ravessa|[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso) [^.]{2,40}? \d{1,4}\b"
    r"|(?:ул\.|улиц[аеы]|проспект\w*|вул\.|вулиц[яі]) [^.]{2,40}? \d{1,4}\b"
    r"|\d(?:号楼|号院|弄|丁目|番地)"
)


def reads_sensitive(text: str) -> bool:
    """Tell whether a memory names health, faith, love, politics, death, money, an address, a secret or a number."""
    if _SENSITIVE.search(_plain(text)) or _SENSITIVE_EASTERN.search(text):
        return True
    return bool(_LONG_NUMBER.search(text) or _ADDRESS.search(text))


def _plain(text: str) -> str:
    return folded(text).replace("ß", "ss").translate(_ACCENTS)
