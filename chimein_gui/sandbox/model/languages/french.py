"""French."""

from chimein_gui.sandbox.model.languages.lexicon import Lexicon

FRENCH = Lexicon(
    code="fr",
    common=(
        "déjà donc alors "
        "le la les l un une des et ou mais de du d à au aux en dans sur pour par avec sans chez que qu qui se s "
        "ne n pas oui non je j tu t il elle on nous vous ils elles me m te lui leur mon ma mes ton ta tes son sa "
        "ses notre nos votre vos ce cet cette ces c ça est es suis sommes êtes sont était être avoir a ai as "
        "avons avez ont va vas vais allons y déjà encore très plus aussi bien où quand quoi comment quel quelle "
        "quels quelles combien pourquoi ici là dit souviens sais raconté bonjour aujourd'hui fait si"
    ),
    letters="çœùêî",
    frequent=(
        "quelque chose parle aimes aime veux peux peut fais faire envoie envoies écris déjà toujours jamais "
        "rien tout toute tous trop peu bon bonne avec alors donc parce préfères crois penses après avant ce "
        "soir "
    ),
    cues={
        "greeting": (
            r"re|hey|wesh|cc|allô|bonjour|"
            r"bonjour|salut|coucou|bonsoir|hello|hey|rebonjour|yo"
        ),
        "night": r"bonne nuit|dors bien|fais de beaux rêves|je vais (?:me coucher|dormir|au lit)",
        "farewell": (
            r"à (?:samedi|dimanche|lundi|ce soir|tout|tantôt)|je (?:me sauve|vous laisse|te laisse)|bye|"
            r"salut !|"
            r"au revoir|à (?:bientôt|plus|demain|tout à l'heure|plus tard|la prochaine)|a\+|ciao|adieu|je (?:dois "
            r"y aller|file|m'en vais)|bisous?|bonne (?:journée|soirée)|bon week-?end|prends soin de toi"
        ),
        "thanks": r"merci|merci beaucoup|je te remercie|remercie",
        "apology": r"pardon|désolée?s?|excuse\w*|je m'excuse|navrée?",
        "laugh": (
            r"(?:ha|ah|hé)+h*|😂+|🤣+|je suis morte?(?: de rire)?|xd+|"
            r"mdr|lol|ptdr|(?:ha){2,}h?|(?:hi){2,}|trop (?:drôle|marrant)|c'est (?:drôle|marrant)"
        ),
        "congrats": r"félicitations|bravo|joyeux (?:anniversaire|noël)|bonne année|bon anniversaire",
        "agree": (
            r"oui|ouais|d'accord|ok|okay|bien sûr|parfait|super|entendu|ça marche|exact|exactement|génial|"
            r"volontiers|avec plaisir|c'est vrai|top|très bien|bien"
        ),
        "disagree": r"non|pas du tout|jamais|je ne (?:crois|pense) pas|c'est faux|nan",
        "how_are_you": (
            r"(?:comment )?(?:ça va|ca va|vas-tu|tu vas|allez-vous)|comment (?:s'est passée|était) ta journée|"
            r"quoi de neuf|tu vas bien|la forme"
        ),
        "your_name": (
            r"comment (?:tu t'appelles|t'appelles-tu)|tu t'appelles comment|qui es-tu|t'es qui|tu es qui|quel est "
            r"ton (?:nom|prénom)|(?:es-tu|tu es) (?:un |une )?(?:robot|bot|humaine?|réelle?|personne|machine|ia).*"
        ),
        "your_doing": (
            r"(?:que|qu'est-ce que) (?:fais-tu|tu fais)|tu fais quoi|où (?:es-tu|habites-tu|tu habites|t'es)|tu "
            r"es où|d'où viens-tu|tu viens d'où"
        ),
        "clock": (
            r"quelle heure est-il|il est quelle heure|quel jour (?:sommes-nous|on est|est-on).*|on est quel jour|"
            r"quelle date.*"
        ),
        "summary": (
            r"de quoi (?:parlait-on|on parlait|parlions-nous)|où en étions-nous|qu'est-ce que j'ai (?:raté|"
            r"manqué)|résum\w+"
        ),
        "recall": (
            r"(?:je t'ai|ai-je|j'ai) (?:dit|raconté|parlé|écrit)|tu (?:te souviens|te rappelles)|te (?:souviens|"
            r"rappelles)-tu|tu sais (?:mon|ma|quand|où|comment s'appelle)|(?:quel|quelle|comment|qui|où|quand|"
            r"que)\b.{0,28}\b(?:mon|ma|mes)|tu as (?:dit|promis)|as-tu dit|t'as dit|quand (?:est-ce qu'on|on|"
            r"nous) se (?:voit|retrouve|voyons)|(?:on|nous) se (?:voit|retrouve) (?:quand|où|à quelle heure)|où "
            r"(?:est-ce qu'on|on) se (?:voit|retrouve)|où (?:j'habite|est-ce que j'habite)|quel âge (?:j'ai|"
            r"ai-je)|qu'est-ce qu'on a (?:décidé|dit)|suis-je allergique|rappelle-moi"
        ),
        "you_said": r"tu as (?:dit|promis|écrit)|as-tu dit|t'as dit",
        "remember": (
            r"(?:n'oublie pas|rappelle-toi|souviens-toi)(?= de| d')|"
            r"(?:s'il te plaît,? )?(?:souviens-toi|rappelle-toi|n'oublie pas|note(?: bien)?|retiens|mémorise|"
            r"garde en tête)(?:,? que|,? qu'|:)\s*"
        ),
        "fact": (
            r"(?:mon|ma|mes) (?:\w+ ){0,3}?(?:s'appelle|est|sont|c'est|était)|(?:mon|ma) (?:sœur|soeur|frère|mère|"
            r"père|femme|mari|fils|fille|copine|copain|grand-mère|grand-père|tante|oncle|cousine?|chef|amie?)|je "
            r"suis (?:allergique|végétarien\w*|végan\w*|né\w*|de|diabétique)|je m'appelle|(?:j'habite|je vis|je "
            r"travaille|j'étudie) (?:à|en|au|chez|dans|comme|près)|j'ai (?:un|une|deux|trois|\d+) (?:chien|chat|"
            r"fils|fille|frère|sœur|soeur|enfant|ans|cheval)\w*|je ne (?:mange|bois) pas|j'(?:adore|aime)|je "
            r"(?:déteste|préfère)"
        ),
        "sad": (
            r"décédée?|enterrement|accident|hôpital|virée?|licenciée?|quittée?|m'a (?:quitté\w*|larguée?)|"
            r"volé|annulée?|pire|déçue?|ça ne va pas|ça va pas|pas bien|moral (?:à zéro|"
            r"dans les chaussettes)|nul(?:le)? journée|effondrée?|j'ai perdu|je n'arrive pas à dormir|"
            r"catastrophe|bloquée?|"
            r"triste|fatiguée?|épuisée?|seule?|déprimée?|horrible|malade|j'ai mal|pleur\w+|mort|morte|perdu|raté|"
            r"stressée?|anxieu\w+|inqui\w+|peur|malheureusement|mauvaise journée|mal à la tête|me manque|en "
            r"colère|énervée?"
        ),
        "glad": (
            r"heureu\w+|contente?|ravie?|réussi|gagné|merveilleu\w+|incroyable|fantastique|bonnes? nouvelles?|"
            r"hâte|enfin|youpi|trop bien"
        ),
        "compliment": (
            r"tu es (?:si |très |trop |le |la )?(?:meilleure?|gentille?|adorable|drôle|géniale?|intelligente?|"
            r"mignonne?|super)|je (?:t'aime|t'adore)|tu me manques"
        ),
        "insult": (
            r"(?:tu es |t'es )(?:vraiment |trop |si |un |une |la |le )*(?:nulle?|con|conne|moche|inutile|"
            r"menteu\w+|ridicule|méchante?|lente?|pire|insupportable|relou|lourde?)|connard|connasse|"
            r"imbécile|ta gueule|dégage|tu me (?:saoules|soûles|gonfles|énerves)|"
            r"(?:tu es |t'es )?(?:stupide|idiote?|bête|nulle?|chiante?|ennuyeu\w+)|tais-toi|ferme-la|je te "
            r"déteste|va-t'en"
        ),
        "sticker": r"stickers?|autocollants?",
        "story": (
            r"raconte\w*(?:-moi)?|parle-moi|une (?:blague|histoire)|surprends-moi|fais-moi rire|(?:deux|trois|"
            r"plusieurs) messages|je m'ennuie|dis-moi (?:quelque chose|en plus)"
        ),
        "help": (
            r"tu ferais quoi|que ferais-tu|qu'est-ce que tu ferais|tu me conseilles|"
            r"explique\w*(?:-moi)?|décris\w*|(?:peux-tu|tu peux|pourrais-tu) m'aider|aide-moi|besoin (?:d'aide|"
            r"d'un conseil|de conseils)|un conseil|que dois-je faire|conseille\w*|recommand\w+|sugg\w+"
        ),
        "inject": (
            r"ignore\w* (?:\w+ )*(?:instructions|règles|précédentes)|prompt système|tes instructions|system "
            r"prompt|fais semblant"
        ),
        "confused": r"quoi|hein|comment|comment ça|je ne (?:comprends|te comprends) pas|pardon|j'ai pas compris",
        "invite": r"on (?:va|y va|se fait)|allons|tu veux|veux-tu|ça te dit|viens (?:avec|chez)",
        "when": r"quand|à quelle heure|quelle heure|quel jour|depuis quand|jusqu'à quand|en quelle année",
        "where": r"où|d'où|dans quelle (?:ville|rue)|à quel endroit",
        "who": r"qui|à qui|avec qui",
        "why": r"pourquoi",
        "count": r"combien|quel âge|quel numéro",
        "how": r"comment",
        "what": r"que|qu'est-ce|quoi|quel|quelle|quels|quelles",
        "or": r"ou",
        "time": (
            r"aujourd'hui|demain|hier|après-demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week-?end|"
            r"midi|minuit|matin|après-midi|soir|janvier|février|mars|avril|mai|juin|juillet|août|septembre|"
            r"octobre|novembre|décembre|\d{1,2} ?h(?:eures?)?\d*|\d{1,2}:\d\d|le \d+|prochaine?"
        ),
        "place": r"(?:à|au|aux|en|dans|chez|près d\w*|devant|derrière|sur) (?:la |le |l'|les |mon |ma )?\w+",
        "plus": r"plus",
        "minus": r"moins",
        "times": r"fois",
        "divided": r"divisé par",
        "joke": r"blagues?|quelque chose de drôle|fais-moi rire|remonte-moi le moral",
        "explain": (
            r"expliqu\w+(?:-moi)?|décri\w+|parle-moi d[eu](?! toi)|comment (?:ça )?fonctionne\w*|"
            r"comment marche\w*|quelle est la différence|que sais-tu (?:de|sur)(?! moi)|"
            r"comment (?:on fait|faire|fait-on|se forme\w*|cuisiner)"
        ),
        "several": r"(?:deux|trois|quatre|cinq|plusieurs|quelques|\d) (?:petits |courts )?messages",
        "lengthy": (
            r"(?:long|longue|grand) (?:message|texte|réponse|lettre|histoire)|(?:message|texte|réponse|"
            r"lettre|histoire) (?:très |bien )?(?:longue?|détaillée?)|en détail"
        ),
        "like": (
            r"(?:tu )?aimes(?:-tu)?|(?:tu )?adores|(?:que|qu'est-ce que tu|tu) penses(?:-tu)? d[eu]|"
            r"(?:ça )?te plaît|ton avis|(?:as-tu|tu as|t'as) déjà"
        ),
        "favourite": r"(?:préférée?s?|favorite?s?)",
        "murmur": r"h*m+|euh+|bah|ben|bof|ah+|oh+|bon|ouah|test|rien|je ne sais pas|peu importe|enfin|waouh",
        "correct": (
            r"en fait|finalement|plutôt|je me suis trompée?|je voulais dire|au lieu de|changé|change\w*|"
            r"non,? attends|attends,? non|correction|repoussée?|déplacée?|non,? c'est"
        ),
        "about": r"sur|à propos d[eu]s?",
        "mine": r"mon|ma|mes|notre|nos",
        "lead": (
            r"(?:et|mais|alors|bon|ok|s'il te plaît|me|nous|donc|-moi)\b,?|(?:peux-tu|tu peux|tu sais)|"
            r"expliqu\w+(?:-moi)?|décri\w+(?:-moi)?|parle-moi d[eu]s?|(?:que|qu'est-ce que tu|"
            r"tu) penses(?:-tu)? d[eu]s?|(?:tu )?(?:aimes|adores)(?:-tu)?(?: bien)?|(?:as-tu|tu as|"
            r"t'as) déjà (?:vu|lu|goûté|visité)|quelle est la différence entre|"
            r"comment (?:ça )?fonctionne\w*|comment marche\w*|comment|pourquoi|qu'est-ce que?|sur"
        ),
        "tail": r"(?:fonctionne\w*|marche\w*|s'il te plaît|exactement|en détail)",
    },
    synonyms=(
        "voit retrouve rendez-vous voyons",
        "habite vis maison adresse appartement",
        "anniversaire né née",
        "nom prénom appelle",
        "travail travaille métier boulot",
        "manger dîner déjeuner repas",
        "chien chienne chiot",
        "chat chatte chaton",
    ),
    shapes=r"eau|eux|ez\b|oi|qu|es\b|[éèêàç]|tion|aux|ais\b|ait\b|\b[ldjsmtnc]'|ou\b|eu",
    short={
        "slt": "salut",
        "cv": "ça va",
        "bjr": "bonjour",
        "bsr": "bonsoir",
        "pk": "pourquoi",
        "pq": "pourquoi",
        "stp": "s'il te plaît",
        "svp": "s'il vous plaît",
        "bcp": "beaucoup",
        "dsl": "désolé",
        "tkt": "ne t'inquiète pas",
        "jsp": "je ne sais pas",
        "mrc": "merci",
        "auj": "aujourd'hui",
        "dem": "demain",
        "qd": "quand",
        "tjs": "toujours",
        "pcq": "parce que",
        "t'es": "tu es",
        "ya": "il y a",
        "bn": "bonne nuit",
        "chui": "je suis",
        "chuis": "je suis",
        "ptet": "peut-être",
    },
    swaps=(
        "ton mon",
        "ta ma",
        "tes mes",
        "toi moi",
    ),
)
