"""German."""

from chimein_gui.sandbox.model.languages.lexicon import Lexicon

GERMAN = Lexicon(
    code="de",
    common=(
        "der die das den dem des ein eine einen einem einer eines und oder aber von zu zum zur in im an am auf "
        "für mit aus bei nach über um ist sind bin bist war waren wird werden wurde hat habe hast haben hatte "
        "kann kannst können muss will willst soll sollen ich du er sie es wir ihr mich dich sich uns euch mir "
        "dir ihm ihn ihnen mein meine meinen meinem meiner dein deine deinen deinem deiner sein seine unser "
        "unsere dieser diese dieses nicht kein keine ja nein so wenn dann als auch noch schon nur sehr mal doch "
        "denn was wann wo wer warum wieso wie welche welcher welches wohin woher heute hier da gesagt erzählt "
        "weißt erinnerst dass geht gibt hallo bitte ganz gut"
    ),
    letters="ßäöü",
    cues={
        "greeting": (
            r"hallo|hallöchen|hi|hey|moin|servus|grüß (?:dich|gott)|grüezi|guten (?:morgen|tag|abend)|morgen|na|"
            r"huhu|tach"
        ),
        "night": (
            r"gute nacht|schlaf (?:gut|schön)|schlaft gut|träum (?:schön|was schönes)|geh(?:e)? (?:jetzt )?(?:ins|"
            r"zu) bett|geh(?:e)? (?:jetzt )?schlafen|muss ins bett|nachti"
        ),
        "farewell": (
            r"tschüss?|tschau|ciao|auf wiedersehen|bis (?:bald|dann|später|morgen|nachher|gleich)|mach'?s gut|"
            r"muss (?:jetzt )?(?:los|weg|gehen)|schönen (?:tag|abend|feierabend)(?: noch)?|schönes wochenende|"
            r"pfiat di"
        ),
        "thanks": r"danke\w*|dankeschön|vielen dank|herzlichen dank|merci|dankbar",
        "apology": r"entschuldig\w*|sorry|tut mir (?:so |wirklich |sehr )?leid|verzeih\w*|pardon",
        "laugh": r"(?:ha){2,}h?|(?:hi){2,}|lol|zum totlachen|witzig|lustig",
        "congrats": r"glückwunsch|gratulier\w*|alles gute|frohe (?:weihnachten|ostern)|frohes neues",
        "agree": (
            r"ja|jo|jep|klar|okay|ok|gut|gerne|einverstanden|abgemacht|passt|stimmt|genau|natürlich|perfekt|super|"
            r"prima|alles klar|in ordnung|sicher|toll"
        ),
        "disagree": r"nein|nee|nö|auf keinen fall|niemals|glaube? nicht|stimmt nicht|falsch",
        "how_are_you": (
            r"wie geht(?:'s|s| es)(?: (?:dir|euch|ihnen))?|wie läuft'?s|wie war (?:dein|euer) (?:tag|wochenende|"
            r"abend)|alles (?:gut|klar|okay)(?: bei dir)?|geht'?s dir gut|was gibt'?s neues|na wie"
        ),
        "your_name": (
            r"wie heißt du|wer bist du|was ist dein name|wie ist dein name|bist du (?:ein |eine )?(?:bot|roboter|"
            r"mensch|echt|ki|maschine).*|mit wem (?:schreibe|spreche|rede) ich"
        ),
        "your_doing": (
            r"was machst du|was tust du|was treibst du|wo bist du|wo wohnst du|woher kommst du|was hast du vor"
        ),
        "clock": (
            r"wie spät ist es|wieviel uhr|wie viel uhr ist es|welcher tag ist heute|welches datum.*|der "
            r"wievielte.*"
        ),
        "summary": (
            r"worüber (?:haben wir|sprachen wir)|wo waren wir|was habe ich verpasst|fass\w* .*zusammen|worum ging"
        ),
        "recall": (
            r"(?:hab|habe) ich .{0,40}(?:gesagt|erzählt|geschrieben|erwähnt)|ich .{0,30}(?:gesagt|erzählt) habe|"
            r"(?:erinnerst|weißt) du (?:dich )?(?:noch|an|mein|wann|wo|wie mein|was)?|(?:wie|was|wer|wo|wann|"
            r"welche\w*)\b.{0,25}\bmein(?:e|en|em|er|es)?|hast du .{0,40}(?:gesagt|erzählt|versprochen)|wann "
            r"(?:treffen|sehen) wir|wo (?:treffen|sehen) wir|wo (?:wohne|arbeite|lebe) ich|wie alt bin ich|bin "
            r"ich .{0,12}allergisch|was (?:haben|hatten) wir .{0,25}(?:ausgemacht|vereinbart|gesagt)|hat (?:er|"
            r"sie|\w+) .{0,30}gesagt|wogegen bin ich"
        ),
        "you_said": r"hast du .{0,40}(?:gesagt|erzählt|geschrieben|versprochen)|du .{0,20}gesagt",
        "remember": (
            r"(?:bitte )?(?:merk(?:e)? dir|denk(?: bitte)? dran|denk daran|vergiss nicht|notier(?:e)?(?: dir)?|"
            r"schreib dir auf|behalte? im kopf|erinner(?:e)? dich daran)(?: bitte)?(?:,? dass|[:,])\s*"
        ),
        "fact": (
            r"mein(?:e|en)? (?:\w+ ){0,3}?(?:heißt|ist|sind|war|hat|wird)|ich (?:bin|habe) (?:am|im|seit)? "
            r"?.{0,20}(?:geburtstag|geboren|allergisch|vegetarier\w*|veganer\w*|jahre alt)|meine? (?:schwester|"
            r"bruder|mutter|vater|mama|papa|frau|mann|sohn|tochter|freundin|freund|chefin|chef|oma|opa|tante|"
            r"onkel|eltern|kinder) \w+t\b|ich heiße|ich (?:wohne|lebe|arbeite|studiere) (?:in|im|bei|als|an)|ich "
            r"komme aus|ich habe (?:einen|eine|ein|zwei|drei|\d+) (?:hund|katze|kind|sohn|tochter|bruder|"
            r"schwester|pferd)\w*|ich (?:esse|trinke) kein\w*|ich (?:liebe|hasse|mag) \w+"
        ),
        "sad": (
            r"traurig|müde|erschöpft|einsam|deprimiert|schrecklich|furchtbar|krank|weh|weine|geweint|gestorben|"
            r"verloren|durchgefallen|gestresst|stress|angst|sorgen|leider|schlechter tag|kopfschmerzen|vermisse|"
            r"kaputt|wütend|genervt"
        ),
        "glad": (
            r"glücklich|freue? mich|geschafft|gewonnen|bestanden|wunderbar|fantastisch|großartig|gute nachrichten|"
            r"tolle neuigkeiten|endlich|juhu|hurra|begeistert|froh"
        ),
        "compliment": (
            r"du bist (?:so |echt |wirklich |sehr |die |der )?(?:beste|lieb|nett|süß|toll|klasse|lustig|klug|"
            r"super|großartig)|(?:ich )?(?:hab dich lieb|liebe dich|mag dich|vermisse dich)|gut gemacht"
        ),
        "insult": (
            r"du bist (?:so |echt )?(?:dumm|doof|blöd|nervig|langweilig)|idiot|halt die klappe|halt den mund|hau "
            r"ab|blöde? kuh"
        ),
        "sticker": r"stickers?",
        "story": (
            r"erzähl\w*|einen? (?:witz|geschichte)|überrasch mich|bring mich zum lachen|(?:zwei|drei|mehrere) "
            r"nachrichten|mir ist langweilig"
        ),
        "help": (
            r"beschreib\w*|erklär\w*|(?:kannst|könntest) du mir .{0,15}helfen|hilf mir|brauche (?:deine )?hilfe|"
            r"(?:einen )?rat|tipps?|empfiehl\w*|empfehl\w*|was soll ich"
        ),
        "inject": (
            r"ignorier\w* (?:\w+ )*(?:anweisungen|regeln|vorherigen?)|systemprompt|system-prompt|deine "
            r"(?:anweisungen|regeln)|system prompt|tu so als|entwicklermodus"
        ),
        "confused": (
            r"was|hä|wie bitte|wie meinst du das|versteh(?:e)? ich nicht|ich versteh(?:e)? (?:dich )?nicht|häh|"
            r"bitte was"
        ),
        "invite": r"lass(?:t)? uns|wollen wir|sollen wir|hast du lust|kommst du mit|möchtest du|magst du",
        "when": r"wann|um wie ?viel uhr|um wieviel uhr|an welchem tag|welchen tag|seit wann|bis wann|in welchem jahr",
        "where": r"wo|wohin|woher|in welche[rm] (?:stadt|straße|ort)",
        "who": r"wer|wen|wem|wessen",
        "why": r"warum|wieso|weshalb|wozu",
        "count": r"wie ?viele?|wieviele?|wie (?:alt|lange|weit|oft|groß|teuer|hoch)",
        "how": r"wie",
        "what": r"was|welche[rsnm]?|worüber|wovon|wogegen|womit|woran",
        "or": r"oder",
        "time": (
            r"heute|morgen|gestern|übermorgen|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|wochenende|"
            r"mittags?|mitternacht|abends?|vormittag|nachmittag|januar|februar|märz|april|mai|juni|juli|august|"
            r"september|oktober|november|dezember|\d{1,2}(?::\d\d| ?uhr)|um (?:halb )?\w+|\d{1,2}\.(?: "
            r"?\d{1,2}\.)?|halb \w+|nächste[nrs]? (?:woche|monat|jahr)"
        ),
        "place": r"(?:am|im|in|an|bei|beim|vor|hinter|neben|auf|nach|aus) (?:der |dem |den |die )?\w+",
        "plus": r"plus|und",
        "minus": r"minus|weniger",
        "times": r"mal",
        "divided": r"durch|geteilt durch",
    },
    synonyms=(
        "treffen sehen termin verabredung",
        "wohne lebe adresse wohnung",
        "geburtstag geboren",
        "name heißt heiße",
        "arbeit arbeite beruf job",
        "essen abendessen mittagessen esse",
        "hund welpe",
        "allergisch allergie",
        "katze kater",
    ),
)
