"""The wordings with which people ask somebody to remember a fact, in ten languages.

All of them are compared folded (`order_words.folded`): without case, accents and kinds of apostrophes.
"""

# ruff: noqa: RUF001 - Cyrillic letters look like Latin ones

from __future__ import annotations

from dataclasses import dataclass


def _texts(*lines: str) -> tuple[str, ...]:
    """Return the texts of some lines, in which semicolons part them."""
    return tuple(text for line in lines for text in line.split("; "))


@dataclass(frozen=True, slots=True)
class Wording:
    """The wordings of one language that puts blanks between words. Every text holds words between blanks.

    Attributes:
        verbs: What asks to remember; a connector or a colon follows, after words of courtesy.
        connectors: Begin the fact: *that*.
        with_comma: Verbs after which a comma is enough.
        direct: Verbs that the fact itself may follow, if it begins with one of `subjects`.
        subjects: Words that begin a fact after `direct`.
        stated: Verbs together with the word that begins the fact.
        titles: Nouns and verbs that only a colon makes an order.
        objects: Words between a verb and its colon: *this*.
        recalling: Verbs that also ask whether one remembers.
        not_after: Words that, right after the connector of those, speak of a shared time instead of a fact.
    """

    verbs: tuple[str, ...]
    connectors: tuple[str, ...]
    with_comma: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    recalling: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()


ENGLISH = Wording(
    verbs=_texts(
        "remember; keep in mind; bear in mind; note; note down; take note; make a note; make note; don't forget",
        "dont forget; do not forget; never forget; memorize; memorise; write down; jot down; save to memory",
        "save to your memory; save in your memory; save this to memory; save this to your memory; add to memory",
        "add to your memory; add this to your memory; store in memory; store in your memory; put in your memory",
        "commit to memory",
    ),
    connectors=_texts("that"),
    with_comma=_texts("keep in mind; bear in mind; take note; please remember; please note"),
    direct=_texts("please remember; please note; please keep in mind; please don't forget"),
    subjects=_texts("i; i'm; im; i've; i'll; my; we; we're; our; it's; there's"),
    stated=_texts("remember i'm; remember im; remember i can't; remember i don't; remember i hate; remember i never"),
    titles=_texts("memo; write this down; save; save this; for your memory"),
    objects=_texts("this; the following; well"),
    recalling=_texts("remember"),
    not_after=_texts(
        "time; times; day; days; night; evening; morning; weekend; summer; winter; year; week; one; guy; girl; man",
        "woman; lady; dude; couple; friend; kid; song; movie; film; show; episode; book; game; joke; story; thing",
        "stuff; place; restaurant; bar; cafe; hotel; beach; trip; party; concert; dinner; meal; scene; bit; part",
        "dog; photo; picture; dress; crazy; amazing; awful; weird; funny; old; little; first; last; feeling",
    ),
)
GERMAN = Wording(
    verbs=_texts(
        "merk dir; merke dir; merken sie sich; merkt euch; denk daran; denke daran; denk dran; denken sie daran",
        "vergiss nicht; vergesst nicht; vergessen sie nicht; behalte im hinterkopf; behalt im hinterkopf",
        "behalten sie im hinterkopf; behalte im kopf; behalt im kopf; behalte; behalte im gedachtnis; notier dir",
        "notiere dir; notieren sie sich; notier; notiere; notieren sie; schreib dir auf; schreib auf; schreib dir",
        "schreiben sie sich auf; speichere; speicher; speichere ab; speicher ab; speichern sie; erinnere dich daran",
        "erinner dich daran; erinnern sie sich daran; erinnere dich; beachte; beachten sie; bedenke; bedenken sie",
        "denk bitte daran; denk bitte dran; denken sie bitte daran; vergiss bitte nicht; nimm zur kenntnis",
        "halte fest; halt fest; merk dir gut; wisse",
    ),
    connectors=_texts("dass"),
    direct=_texts(
        "merk dir; merke dir; merken sie sich; denk daran; denk dran; vergiss nicht; merk dir das; merke dir das",
        "denk daran das; denk dran das; vergiss nicht das",
    ),
    subjects=_texts("ich; du; er; sie; wir; ihr; mein; meine; unser; unsere; es; der; die"),
    titles=_texts(
        "notiz; merke; zur info; wichtig zu merken; ins gedachtnis; in den speicher; zum merken",
    ),
    objects=_texts("das; dies; folgendes; eins; mal; gut"),
)
FRENCH = Wording(
    verbs=_texts(
        "souviens toi; souvenez vous; rappelle toi; rappelez vous; retiens; retenez; note; notez; prends note",
        "prenez note; prends en note; n'oublie pas; n'oublie surtout pas; n'oublie jamais",
        "n'oubliez pas; garde en tete; gardez en tete; garde en memoire",
        "gardez en memoire; garde a l'esprit; gardez a l'esprit; memorise; memorisez; enregistre; enregistrez",
        "enregistre en memoire; mets en memoire; sauvegarde; ecris; sache; sachez",
    ),
    connectors=_texts("que; qu"),
    with_comma=_texts("n'oublie pas; retiens; note bien"),
    titles=_texts("a noter; a retenir; memo; pour memoire; note pour toi"),
    objects=_texts("bien; ca; ceci; cela"),
)
SPANISH = Wording(
    verbs=_texts(
        "recuerda; recorda; recuerde; recordad; recuerden; acuerdate; acordate; acuerdese; ten en cuenta",
        "tene en cuenta; tenga en cuenta; tened en cuenta; ten presente; tene presente; tenga presente",
        "ten en mente; anota; anotate; anote; apunta; apuntate; apunte; toma nota; tome nota; guarda en tu memoria",
        "guarda en la memoria; guarda en memoria; guarde en su memoria; guarda esto en tu memoria; memoriza",
        "memorice; no olvides; no te olvides; no olvide; no se olvide; que no se te olvide; no se te olvide",
        "no lo olvides",
    ),
    connectors=_texts("que; de que"),
    with_comma=_texts("recuerda; ten en cuenta; acuerdate; anota; no olvides"),
    titles=_texts("nota; para tu memoria; apunte; guarda; guarda esto"),
    objects=_texts("esto; lo siguiente; bien"),
)
PORTUGUESE = Wording(
    verbs=_texts(
        "lembre se; lembra te; lembre; lembrem se; nao esqueca; nao se esqueca; nao te esquecas; nao esquece",
        "nao esquecas; tenha em mente; tem em mente; tenha em conta; tem em conta; leve em conta; leva em conta",
        "anote; anota; tome nota; toma nota; guarde; guarda; guarde na memoria; guarda na memoria; memorize",
        "memoriza; salve na memoria; salva na memoria; grave na memoria; grava na memoria; grava; registre; note",
        "nota",
    ),
    connectors=_texts("que; de que"),
    with_comma=_texts("lembre se; nao esqueca; nao se esqueca; anota ai"),
    titles=_texts("anotacao; para a memoria; lembrete"),
    objects=_texts("isto; isso; ai; o seguinte; bem"),
)
ITALIAN = Wording(
    verbs=_texts(
        "ricorda; ricordati; ricordatevi; ricordi; si ricordi; tieni presente; tenga presente; tieni a mente",
        "tenga a mente; tieni conto; tenga conto; tieni in mente; non dimenticare; non dimenticarti",
        "non ti dimenticare; non dimentichi; non scordare; non scordarti; non ti scordare; annota; annotati; annoti",
        "segna; segnati; prendi nota; prenda nota; memorizza; memorizzi; salva in memoria; salva nella memoria",
        "salva nella tua memoria; scrivi; scriviti; nota; sappi",
    ),
    connectors=_texts("che"),
    with_comma=_texts("ricordati; tieni presente; tieni a mente; non dimenticare"),
    titles=_texts("nota bene; promemoria; per la memoria; appunto"),
    objects=_texts("questo; bene; quanto segue"),
)
RUSSIAN = Wording(
    verbs=_texts(
        "запомни; запомните; прошу запомнить; прошу тебя запомнить; помни; помните; имей в виду; имей ввиду",
        "имейте в виду; имейте ввиду; учти; учтите; учитывай; не забудь; не забудьте; не забывай; не забывайте",
        "запиши; запишите; заметь; отметь; отметьте; сохрани; сохраните; сохрани в память; сохрани в памяти",
        "сохрани себе; занеси в память; возьми на заметку; возьмите на заметку; обрати внимание; обратите внимание",
        "держи в уме; знай",
    ),
    connectors=_texts("что"),
    with_comma=_texts("запомни; запомните; имей в виду; имейте в виду; имей ввиду; учти; учтите"),
    titles=_texts("на заметку; заметка; в память; на память"),
    objects=_texts("это; себе; вот что; хорошенько; следующее; для себя"),
)
UKRAINIAN = Wording(
    verbs=_texts(
        "запам'ятай; запам'ятайте; прошу запам'ятати; пам'ятай; пам'ятайте; май на увазі; майте на увазі; врахуй",
        "врахуйте; зваж; зважте; не забудь; не забудьте; не забувай; не забувайте; запиши; запишіть; занотуй",
        "занотуйте; зверни увагу; зверніть увагу; візьми до уваги; візьміть до уваги; збережи; збережіть",
        "збережи в пам'ять; збережи у пам'яті; збережи в пам'яті; збережи у пам'ять; відзнач; познач; знай",
    ),
    connectors=_texts("що"),
    with_comma=_texts("запам'ятай; запам'ятайте; май на увазі; майте на увазі; врахуй"),
    titles=_texts("на замітку; нотатка; у пам'ять; в пам'ять"),
    objects=_texts("це; собі; ось що; добре; таке"),
)
WORDINGS = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, RUSSIAN, UKRAINIAN)

COURTESY = _texts(
    "please; pls; plz; kindly; bitte; s'il te plait; s'il vous plait; stp; svp; por favor; porfa; per favore",
    "per piacere; ti prego; пожалуйста; плиз; будь ласка; прошу; just; also",
)
"""Words before a verb, or between it and its connector."""

ADVERBS = _texts(
    "always; also; well; doch; mal; ja; unbedingt; auch; immer; bien; surtout; toujours; jamais; siempre; nunca; bien",
    "sempre; bem; bene; mai; раз и навсегда; навсегда; хорошо; тоже; назавжди; добре; також",
)
"""Words between a verb and its connector."""

GREETINGS = _texts(
    "hey; hi; hello; hiya; ok; okay; oh; ah; and; so; but; btw; by the way; fyi; dear; hallo; he; na; also; und",
    "ach; ubrigens; liebe; salut; coucou; bonjour; et; au fait; hola; oye; y; bueno; oi; ola; e; olha; ciao; ehi",
    "senti; guarda; привет; эй; слушай; кстати; и; а; ну; привіт; гей; слухай; до речі; і; та; спасибо; дякую",
    "thanks; merci",
)
"""Words at the start of a message that change nothing."""

REPORTING = frozenset(
    _texts(
        "said; says; wrote; told; quote; sagte; sagt; schrieb; dit; disait; dijo; dice; decia; disse; diz; dizia",
        "scritto; сказал; сказала; говорит; говорил; говорила; написал; написала; сказав; каже; казав; казала; написав",
    )
)
"""A word like these before a comma tells what somebody else said."""

BARE = frozenset(
    _texts(
        "this; that; it; these; those; das; dies; es; alles; gut; ca; cela; ceci; esto; eso; isso; isto; questo; cio",
        "quello; это; то; все; це; те; усе; me; mich; uns; us; moi; mi; mim; меня; мене; 这个; 这; 那; 那个; 它; 这些",
        "我; 这点; 這個; 這; 那個; 了; これ; それ; あれ; このこと; そのこと; 私のこと; 僕のこと; 俺のこと; 私; 僕",
    )
)
"""What is no fact by itself."""

CHINESE_DIRECT = _texts(
    "请你记住; 请帮我记住; 请务必记住; 请记住; 请记得; 请记下来; 请记下; 请别忘了; 请不要忘记; 請你記住; 請幫我記住",
    "請記住; 請記得; 請記下來; 請記下; 請別忘了",
    "帮我记住; 帮我记着; 帮我记一下; 帮我记下来; 帮我记下; 幫我記住; 幫我記一下",
    "幫我記下; 麻烦记住; 麻烦你记住; 麻煩記住; 记住; 記住; 你要记住; 你要記住; 请注意",
)
"""Chinese orders which the fact may follow at once."""

CHINESE_OF_ME = _texts(
    "记得; 記得; 别忘了; 別忘了; 不要忘记; 不要忘記; 不要忘了; 别忘记; 要记得; 你要记得",
)
"""Chinese orders that also mean *remember to*: a fact about somebody must follow."""

CHINESE_TITLES = _texts(
    "记一下; 記一下; 记下来; 記下來; 记下; 記下; 记录一下; 记录; 备注; 備註; 注意; 請注意; 保存到记忆里; 保存到记忆",
    "存到记忆里; 存到记忆; 存入记忆; 保存到記憶; 存到記憶裡; 加入记忆; 添加到记忆",
)
"""Chinese orders after which a colon or a comma must stand."""

CHINESE_PEOPLE = _texts("我; 他; 她; 它; 咱; 你; 您; 这; 那; 今; 明")
"""What begins a fact about somebody, or about a day."""
CHINESE_FILLERS = _texts("你好; 嗨; 喂; 对了; 對了; 另外; 还有; 好的; 那; 亲爱的; 親愛的; 麻烦; 请")
GREETINGS_WITH_NAMES = _texts("你好; 嗨; 喂; 嘿; 亲爱的; 親愛的; 早上好; 晚上好; こんにちは; ねえ; ねぇ")
"""Greetings that a name may follow without a blank."""
CHINESE_TIMES = _texts("的时候; 的時候; 那次; 那天; 那时; 那晚; 那年; 那一天; 的事; 的事情")
"""What ends, or begins, the memory of a shared time."""

JAPANESE_VERBS = _texts(
    "覚えておいて; 覚えといて; 憶えておいて; 憶えといて; おぼえておいて; おぼえといて; 覚えて; 記憶しておいて",
    "記憶しといて; 記憶して; 記録しておいて; 記録しといて; 記録して; メモしておいて; メモしといて; メモっておいて",
    "メモっといて; メモして; メモって; 書き留めておいて; 心に留めておいて; 覚えておくように; 保存しておいて",
    "メモリに保存して; 記憶に保存して",
)
JAPANESE_TAILS = _texts(
    "くださいね; 下さいね; くださいよ; ください; 下さい; ちょうだい; 欲しい; ほしい; くれ; ね; よ",
)
"""What may follow a Japanese verb."""
JAPANESE_NOT_FORGET = _texts("忘れないでおいて; 忘れないで")
JAPANESE_FACTS = _texts(
    "ってことを; ってこと; ということを; ということ; ってことは; んだってこと; って; だと",
)
"""What ends a fact before *don't forget*; a thing to bring has none of them."""
JAPANESE_PARTICLES = _texts("なので; ってのを; というのを; って; ので; から; を; と; は; も; のは")
"""What ties a fact to the verb."""
JAPANESE_TITLES = _texts(
    "メモ; 覚書; メモリー; 次のことを覚えておいて; 次のことを覚えておいてください; 次を覚えておいて",
)
JAPANESE_FILLERS = _texts(
    "お願い; お願いします; ねえ; ね; あのね; ちなみに; こんにちは; あと; それと; すみません",
)
