"""German."""

from chimein_gui.sandbox.model.languages.lexicon import Lexicon

GERMAN = Lexicon(
    code="de",
    common=(
        "nochmal nochmals eigentlich doch mal eben gerade "
        "der die das den dem des ein eine einen einem einer eines und oder aber von zu zum zur in im an am auf "
        "für mit aus bei nach über um ist sind bin bist war waren wird werden wurde hat habe hast haben hatte "
        "kann kannst können muss will willst soll sollen ich du er sie es wir ihr mich dich sich uns euch mir "
        "dir ihm ihn ihnen mein meine meinen meinem meiner dein deine deinen deinem deiner sein seine unser "
        "unsere dieser diese dieses nicht kein keine ja nein so wenn dann als auch noch schon nur sehr mal doch "
        "denn was wann wo wer warum wieso wie welche welcher welches wohin woher heute hier da gesagt erzählt "
        "weißt erinnerst dass geht gibt hallo bitte ganz gut"
    ),
    letters="ßäöü",
    frequent=(
        "nochmal nochmals eigentlich doch mal eben gerade vielleicht immer nie etwas nichts alles mehr viel "
        "machst machen mag magst möchte will gern gerne schick schreib freitag abend morgen echt jetzt warum "
        "haben wollte wollten würde würdest denkst findest glaube oder lust "
    ),
    cues={
        "greeting": (
            r"(?:hallo|hi|hey|moin|guten (?:morgen|tag|abend)) (?:zusammen|ihr(?: lieben)?|alle|allerseits|leute|du)|"
            r"moin moin|hallihallo|heyho|na du|hallöle|"
            r"hallo|hallöchen|hi|hey|moin|servus|grüß (?:dich|gott)|grüezi|guten (?:morgen|tag|abend)|morgen|na|"
            r"huhu|tach"
        ),
        "night": (
            r"gute n8|gut nacht|schlaft schön|"
            r"gute nacht|schlaf (?:gut|schön)|schlaft gut|träum (?:schön|was schönes)|geh(?:e)? (?:jetzt )?(?:ins|"
            r"zu) bett|geh(?:e)? (?:jetzt )?schlafen|muss ins bett|nachti"
        ),
        "farewell": (
            r"bis (?:dahin|die tage|denn|heute abend|nächste woche|sonntag|montag|freitag|samstag)|cu|"
            r"ich muss los|bin (?:dann )?weg|hau rein|ade|"
            r"tschüss?|tschau|ciao|auf wiedersehen|bis (?:bald|dann|später|morgen|nachher|gleich)|mach'?s gut|"
            r"muss (?:jetzt )?(?:los|weg|gehen)|schönen (?:tag|abend|feierabend)(?: noch)?|schönes wochenende|"
            r"pfiat di"
        ),
        "thanks": r"danke\w*|dankeschön|vielen dank|herzlichen dank|merci|dankbar",
        "apology": r"entschuldig\w*|sorry|tut mir (?:so |wirklich |sehr )?leid|verzeih\w*|pardon",
        "laugh": (
            r"(?:ha|he)+h*|😂+|🤣+|ich (?:kann nicht mehr|lach mich|brech ab)|"
            r"(?:ha){2,}h?|(?:hi){2,}|lol|zum totlachen|witzig|lustig"
        ),
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
            r"was hast du .{0,30}(?:gemacht|gegessen|getan|gekauft|gekocht|getrieben)|wo warst du|was (?:isst|"
            r"liest|schaust|kochst) du|"
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
            r"gestorben|tot|beerdigung|unfall|krankenhaus|gekündigt|entlassen|verlassen|schluss gemacht|"
            r"getrennt|geklaut|gestohlen|mies\w*|beschissen\w*|scheiße|am boden|heulen|könnte heulen|"
            r"einsam|schlecht(?:e)? (?:tag|nachricht\w*|drauf)|geht'?s mir (?:nicht|schlecht)|"
            r"geht mir (?:nicht|schlecht)\w*|nicht (?:so )?gut drauf|ausgefallen|abgesagt|stecke fest|"
            r"verzweifelt|enttäuscht|fertig mit den nerven|kann nicht schlafen|heimweh|"
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
            r"(?:du )?(?:bist )?(?:so |echt |ein |eine |total |einfach )*(?:nutzlos|blödmann|trottel|"
            r"dummkopf|unfähig|peinlich|langweiler\w*|lügner\w*|arschloch|depp|hässlich|unhöflich|"
            r"das letzte|gemein|schlecht)|du nervst|nervst|geh mir auf die nerven|verpiss dich|leck mich|"
            r"ich hasse dich|"
            r"du bist (?:so |echt )?(?:dumm|doof|blöd|nervig|langweilig)|idiot|halt die klappe|halt den mund|hau "
            r"ab|blöde? kuh"
        ),
        "sticker": r"stickers?",
        "story": (
            r"erzähl\w*|einen? (?:witz|geschichte)|überrasch mich|bring mich zum lachen|(?:zwei|drei|mehrere) "
            r"nachrichten|mir ist langweilig"
        ),
        "help": (
            r"was würdest du (?:tun|machen|sagen|mir raten)|was rätst du|"
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
        "count": (
            r"was (?:kostet|kosten|hat .{1,40} gekostet)|wie (?:schwer|groß|breit|schnell)|"
            r"wie ?viele?|wieviele?|wie (?:alt|lange|weit|oft|groß|teuer|hoch)"
        ),
        "how": r"wie",
        "what": r"was|welche[rsnm]?|worüber|wovon|wogegen|womit|woran",
        "or": r"oder",
        "time": (
            r"heute|morgen|gestern|übermorgen|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|wochenende|"
            r"mittags?|mitternacht|abends?|vormittag|nachmittag|januar|februar|märz|april|mai|juni|juli|august|"
            r"september|oktober|november|dezember|\d{1,2}(?::\d\d| ?uhr)|um (?:halb )?(?:\d|ein|"
            r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\w*|\d{1,2}\.(?: "
            r"?\d{1,2}\.)?|halb \w+|nächste[nrs]? (?:woche|monat|jahr)"
        ),
        "place": r"(?:am|im|in|an|bei|beim|vor|hinter|neben|auf|nach|aus) (?:der |dem |den |die )?\w+",
        "plus": r"plus|und",
        "minus": r"minus|weniger",
        "times": r"mal",
        "divided": r"durch|geteilt durch",
        "joke": r"witze?|was lustiges|etwas lustiges|bring mich zum lachen|munter mich auf|muntere mich auf",
        "explain": (
            r"erklär\w*|beschreib\w*|erzähl\w* (?:mir |uns )?(?:mal |bitte |etwas |was |mehr )*(?:über|"
            r"von)(?! d(?:ir|ein))|wie funktionier\w*|wie entsteh\w*|was ist der unterschied|"
            r"was weißt du über|wie (?:macht|kocht|backt|bäckt|baut|lernt|mache|koche|backe|baue) (?:man|"
            r"ich)"
        ),
        "several": r"(?:zwei|drei|vier|fünf|mehrere|ein paar|\d) (?:kurze |getrennte |einzelne )*nachrichten",
        "lengthy": (
            r"(?:lange?|längere|ausführliche?|langen|ausführlichen)[rs]? (?:nachricht|text|antwort|brief|"
            r"geschichte|mail)|ausführlich\w*|schreib\w* .{0,12}viel"
        ),
        "like": (
            r"magst du|gefällt dir|gefallen dir|isst du gern\w*|trinkst du gern\w*|liebst du|"
            r"was hältst du von|wie findest du|was denkst du (?:über|von)|deine meinung|findest du|"
            r"warst du schon|hast du schon (?:mal|einmal)|stehst du auf|kochst du gern\w*|\w+st du gern\w*"
        ),
        "favourite": r"dein\w* lieblings\w+|lieblings\w+",
        "murmur": (
            r"h+m+|äh+m*|naja|na ja|tja|so|oh|ah|aha|wow|egal|test|nichts|weiß nicht|keine ahnung|mhm+|"
            r"soso|ach so|achso"
        ),
        "correct": (
            r"doch (?:lieber|nicht|erst|eher)|lieber|stattdessen|eigentlich|quatsch|korrektur|ich meinte|"
            r"ich meine|nein,? (?:um|am|im|doch|nicht|es)|verschoben|geändert|falsch gesagt|vertan|geirrt|"
            r"statt|moment,? nein|anders"
        ),
        "about": r"über|zum thema|von",
        "mine": r"mein\w*|unser\w*",
        "lead": (
            r"(?:eigentlich|denn|und|also|aber|na|ok|bitte|mal|kurz|mir|uns|doch|eben|dann|so|sag)\b,?|kannst du|"
            r"könntest du|weißt du|erklär\w*|beschreib\w*|erzähl\w*|was hältst du von|"
            r"was denkst du (?:über|von)|wie findest du|findest du|magst du|gefällt dir|liebst du|"
            r"stehst du auf|isst du gern\w*|trinkst du gern\w*|was ist der unterschied zwischen|"
            r"wie funktionier\w*|wie entsteh\w*|wie|warum|was|wieso|über|lieber|gern\w*"
        ),
        "tail": (
            r"(?:funktioniert|funktionieren|entsteht|entstehen|bitte|genau|geht|gern|gerne|gut|eigentlich|"
            r"ausführlich|kurz)"
        ),
    },
    synonyms=(
        "treffen sehen termin verabredung",
        "wohne lebe adresse wohnung",
        "geburtstag geboren",
        "name heißt heiße",
        "arbeit arbeite beruf job",
        "essen esse allergisch vegetarier vegan",
        "essen abendessen mittagessen esse",
        "hund welpe",
        "allergisch allergie",
        "katze kater",
    ),
    shapes=r"sch|ch|ei|ie|en\b|ung|tz|pf|cht|\bge|st\b|au|eu|[äöüß]",
    short={
        "wg": "wegen",
        "vllt": "vielleicht",
        "vlt": "vielleicht",
        "nix": "nichts",
        "nen": "einen",
        "ne": "eine",
        "hab": "habe",
        "kp": "keine ahnung",
        "gn8": "gute nacht",
        "lg": "liebe grüße",
        "hdl": "hab dich lieb",
        "iwie": "irgendwie",
        "gerad": "gerade",
        "gez": "gezeichnet",
        "bissl": "bisschen",
        "isses": "ist es",
        "gehts": "geht's",
        "läufts": "läuft's",
        "biste": "bist du",
        "haste": "hast du",
        "kannste": "kannst du",
        "willste": "willst du",
        "weißte": "weißt du",
        "machste": "machst du",
        "wieviel": "wie viel",
    },
    swaps=(
        "dein* mein*",
        "dich mich",
        "dir mir",
    ),
)
