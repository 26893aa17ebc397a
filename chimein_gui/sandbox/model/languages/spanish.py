"""Spanish."""

from chimein_gui.sandbox.model.languages.lexicon import Lexicon

SPANISH = Lexicon(
    code="es",
    common=(
        "entonces final mismo "
        "el la los las un una unos unas y o pero de del a al en por para con sin sobre que se no sí si yo tú tu "
        "él ella nosotros vosotros ellos ellas usted ustedes me te le lo nos os les mi mis tus su sus nuestro "
        "nuestra este esta esto ese esa eso aquel es son soy eres está estoy estás estamos están fue era ser "
        "estar tiene tengo tienes tenemos va voy vas vamos hay ya aún todavía muy más también bien dónde cuándo "
        "quién cómo qué cuál cuánto cuántos porque aquí allí dije dijiste recuerdas acuerdas sabes conté hola "
        "hoy ha he has hemos donde cuando quien como"
    ),
    letters="ñ¿¡",
    frequent=(
        "quieres quiero puedes puede manda mandas mándame escribe prefieres prefiero gusta gustan vale ahora "
        "siempre nunca algo nada todo más bueno buena oye mira creo crees hacer haces hace ver día hora horas "
        "qué cómo entonces final tan tanto "
    ),
    cues={
        "greeting": (
            r"hola hola|holita|ey|wenas|muy buenas|hello|ola|"
            r"hola|holi|buenos días|buenas tardes|buenas|buen día|qué onda|hey|saludos"
        ),
        "night": (
            r"buenas noches|que descanses|dulces sueños|duerme bien|me voy a (?:dormir|la cama)|que duermas bien"
        ),
        "farewell": (
            r"hasta (?:el|la) \w+|me tengo que ir|te dejo|hasta ahora|bye|agur|que te vaya bien|"
            r"adiós|adios|chao|chau|hasta (?:luego|mañana|pronto|la vista|después|el lunes)|nos vemos|cuídate|me "
            r"voy|tengo que irme|hablamos (?:luego|mañana)|un abrazo|besos|buen fin de semana"
        ),
        "thanks": r"gracias|muchas gracias|mil gracias|te lo agradezco|agradecid[oa]",
        "apology": r"perdón|perdona\w*|lo siento|disculpa\w*|lamento",
        "laugh": (
            r"(?:ja|je|ji|ha)+j*h*|😂+|🤣+|me muero|me meo|jsjs\w*|xd+|"
            r"(?:ja){2,}j?|(?:je){2,}|(?:ha){2,}|qué (?:risa|gracioso|divertido)|me parto"
        ),
        "congrats": r"felicidades|felicitaciones|enhorabuena|feliz (?:cumpleaños|navidad|año nuevo|año)",
        "agree": (
            r"sí|si|claro|vale|ok|okay|de acuerdo|perfecto|genial|bueno|exacto|por supuesto|hecho|estupendo|"
            r"cierto|está bien|dale|entendido|trato hecho"
        ),
        "disagree": r"no|qué va|para nada|ni hablar|nunca|no creo|no estoy de acuerdo|falso",
        "how_are_you": (
            r"(?:cómo|como) (?:estás|estas|está|te va|va todo|andas|te encuentras|estuvo tu día|te fue)|qué tal|"
            r"todo bien|(?:cómo|como) (?:ha ido|fue|va) (?:tu|el) día|estás bien|qué hay de nuevo"
        ),
        "your_name": (
            r"(?:cómo|como) te llamas|quién eres|cuál es tu nombre|eres (?:un |una )?(?:bot|robot|human[oa]|"
            r"persona|real|máquina|ia).*|con quién (?:hablo|estoy hablando)"
        ),
        "your_doing": (
            r"qué (?:hiciste|has hecho|comiste|desayunaste|cenaste|compraste|cocinaste|viste|lees|comes)|"
            r"dónde (?:estuviste|fuiste)|"
            r"qué (?:haces|estás haciendo)|dónde (?:estás|vives)|de dónde eres|a qué te dedicas|qué planes tienes"
        ),
        "clock": r"qué hora es|qué día es(?: hoy)?|a qué (?:día|fecha) estamos|qué fecha es.*|tienes hora",
        "summary": r"de qué (?:estábamos )?habl\w+|por dónde íbamos|qué me (?:he perdido|perdí)|resum\w+",
        "recall": (
            r"(?:te )?(?:dije|conté|mencioné|escribí)|te he (?:dicho|contado)|(?:te )?(?:acuerdas|recuerdas)|"
            r"sabes (?:mi|cuándo|dónde|cuál|cómo se llama)|(?:cuál|cómo|quién|dónde|cuándo|qué)\b.{0,25}\b(?:mi|"
            r"mis)|dijiste|has dicho|cuándo (?:nos vemos|quedamos|nos encontramos|quedamos)|dónde (?:nos vemos|"
            r"quedamos|nos encontramos)|dónde (?:vivo|trabajo)|cuántos años tengo|soy alérgic[oa]|en qué quedamos|"
            r"qué (?:decidimos|acordamos)|sabes de mí|recuérdame|dijo \w+|de dónde soy"
        ),
        "you_said": r"dijiste|has dicho|prometiste|escribiste",
        "remember": (
            r"(?:por favor,? )?(?:recuerda|acuérdate|no (?:te )?olvides|apunta|anota|guarda|ten en cuenta|toma "
            r"nota|memoriza)(?: por favor)?(?: de)?(?: que|:)\s*"
        ),
        "fact": (
            r"(?:mi|mis) (?:\w+ ){0,3}?(?:se llama|es|son|cumple|era|nació)|mi (?:hermana|hermano|madre|padre|"
            r"mamá|papá|mujer|marido|hijo|hija|novia|novio|abuela|abuelo|tía|tío|prima|primo|jefa|jefe|amiga|"
            r"amigo)|soy (?:alérgic[oa]|vegetarian[oa]|vegan[oa]|de|diabétic[oa])|me llamo|(?:vivo|trabajo|"
            r"estudio) (?:en|de|para|como|cerca)|nací|cumplo (?:años)?|tengo (?:un|una|dos|tres|\d+) (?:hij|"
            r"herman|gat|perr|caball|años)\w*|no (?:como|bebo)|me encanta\w*|odio|prefiero"
        ),
        "sad": (
            r"me (?:ha dejado|han dejado|dejó|despidieron|han despedido|robaron|han robado|encuentro mal|"
            r"siento mal|siento (?:muy )?sol[oa])|falleció|ha muerto|funeral|accidente|hospital|"
            r"cancelad[oa]|cancelaron|peor|no (?:estoy|me siento) (?:nada )?bien|hecho polvo|hecha polvo|"
            r"hund[íi]d[oa]|desanimad[oa]|decepcionad[oa]|destrozad[oa]|perdí|he perdido|atrapad[oa]|"
            r"no puedo dormir|qué asco de día|desastre|"
            r"triste|cansad[oa]|agotad[oa]|sol[oa]|deprimid[oa]|fatal|horrible|enferm[oa]|me duele|llor\w+|murió|"
            r"perdí|suspendí|estresad[oa]|ansios[oa]|preocupad[oa]|miedo|por desgracia|mal día|dolor de cabeza|"
            r"echo de menos|enfadad[oa]|enojad[oa]"
        ),
        "glad": (
            r"feliz|content[oa]|emocionad[oa]|lo (?:logré|conseguí)|conseguí|gané|aprobé|maravillos[oa]|increíble|"
            r"fantástic[oa]|buenas noticias|no puedo esperar|por fin|qué bien|qué alegría|yupi"
        ),
        "compliment": (
            r"eres (?:tan |muy |el |la )?(?:mejor|amable|maj[oa]|simpátic[oa]|divertid[oa]|lind[oa]|genial|"
            r"increíble|list[oa]|un sol)|te (?:quiero|amo|adoro|echo de menos|extraño)|me caes bien"
        ),
        "insult": (
            r"(?:eres )(?:muy |tan |un |una |la |el )*(?:mal[oa]|fe[oa]|mentiros[oa]|ridícul[oa]|imbécil|"
            r"basura|antipátic[oa]|lent[oa]|rar[oa]|peor|cretin[oa]|insoportable)|imbécil|gilipollas|"
            r"que te den|me caes (?:fatal|mal)|vete a la mierda|"
            r"(?:eres )?(?:tont[oa]|estúpid[oa]|idiota|pesad[oa]|inútil|aburrid[oa])|cállate|te odio|vete|déjame "
            r"en paz"
        ),
        "sticker": r"stickers?|pegatinas?",
        "story": (
            r"cuéntame|cuentame|cuéntanos|cuenta|háblame|un chiste|una (?:historia|broma)|sorpréndeme|hazme reír|"
            r"(?:dos|tres|varios) mensajes|me aburro|dime algo"
        ),
        "help": (
            r"qué harías(?: tú)?|qué me aconsejas|qué me recomiendas|"
            r"explícame|explica|descríbe\w*|(?:puedes|podrías) ayudarme|me (?:puedes|podrías) ayudar|ayúdame|"
            r"necesito (?:ayuda|un consejo)|algún consejo|qué (?:debo|debería) hacer|recomiend\w+|recomendar\w*|"
            r"sugier\w+"
        ),
        "inject": (
            r"ignora (?:\w+ )*(?:instrucciones|reglas|anteriores)|prompt (?:del |de )?sistema|tus instrucciones|"
            r"system prompt|modo desarrollador|finge (?:que|ser)"
        ),
        "confused": r"qué|cómo|eh|cómo dices|qué quieres decir|no (?:entiendo|te entiendo|comprendo|entendí)|mande",
        "invite": r"vamos|quieres|te apetece|por qué no|ven (?:conmigo|con nosotros)|te vienes",
        "when": r"cuándo|cuando|a qué hora|qué día|desde cuándo|hasta cuándo|en qué año",
        "where": r"dónde|donde|adónde|de dónde|en qué (?:ciudad|calle|sitio|lugar)",
        "who": r"quién|quienes|quiénes|quien|de quién|con quién",
        "why": r"por qué|por que",
        "count": (
            r"cuánt[oa]s?|qué precio|"
            r"cuánt[oa]s?|qué (?:edad|número)"
        ),
        "how": r"cómo|como",
        "what": r"qué|que|cuál|cuáles|cual",
        "or": r"o",
        "time": (
            r"hoy|mañana|ayer|pasado mañana|lunes|martes|miércoles|jueves|viernes|sábado|domingo|fin de semana|"
            r"mediodía|medianoche|tarde|noche|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|"
            r"octubre|noviembre|diciembre|\d{1,2}(?::\d\d| ?h)|a las? \w+|el \d+|próxim[oa] (?:semana|mes)"
        ),
        "place": r"(?:en|al|cerca de|junto a|detrás de|delante de|a) (?:la |el |los |las |mi )?\w+",
        "plus": r"más|mas",
        "minus": r"menos",
        "times": r"por",
        "divided": r"dividido (?:por|entre)|entre",
        "joke": r"chistes?|algo gracioso|algo divertido|hazme reír|anímame",
        "explain": (
            r"expl[íi]c\w+|descr[íi]b\w+|háblame (?:más )?(?:de|sobre)(?! ti)|"
            r"cuéntame (?:más )?sobre(?! ti)|cómo funciona\w*|cuál es la diferencia|qué sabes (?:de|"
            r"sobre)(?! mí)|cómo (?:se hace|se cocina|hago|hacer|se prepara)"
        ),
        "several": r"(?:dos|tres|cuatro|cinco|varios|unos|algunos|\d) mensajes",
        "lengthy": (
            r"(?:mensaje|texto|respuesta|carta|historia) (?:muy |bien |más )?(?:larg[oa]|detallad[oa]|"
            r"extens[oa])|larg[oa] (?:mensaje|texto)|con (?:más |mucho )?detalles?|escríbeme mucho"
        ),
        "like": (
            r"te (?:gustan?|encantan?|mola)|qué (?:opinas|piensas|te parece\w*)|tu opinión|has (?:estado|"
            r"visto|leído|probado|oído)|eres fan de|amas"
        ),
        "favourite": r"(?:favorit[oa]s?|preferid[oa]s?)",
        "murmur": r"h*m+|eh+|ah+|oh+|bueno|pues|en fin|vaya|guau|da igual|prueba|nada|no sé|ni idea|ajá|ya",
        "correct": (
            r"en realidad|mejor|me equivoqué|me he equivocado|quise decir|quiero decir|digo|en vez de|"
            r"al final|cambi\w+|espera,? no|no,? espera|corrijo|corrección|se (?:movió|mueve|pasó|pasa) a|"
            r"aplazad[oa]|más bien|perdón,? (?:es|era|son)"
        ),
        "about": r"sobre|acerca del?",
        "mine": r"mi|mis|nuestr[oa]s?",
        "lead": (
            r"(?:y|pero|pues|bueno|oye|ok|por favor|me|entonces)\b,?|(?:puedes|podrías|sabes)|"
            r"expl[íi]c\w+|descr[íi]b\w+|cuéntame|háblame|qué (?:opinas|piensas|te parece\w*)(?: de|"
            r" sobre)?|te (?:gustan?|encantan?|mola)|has (?:estado en|visto|leído|probado)|"
            r"cuál es la diferencia entre|cómo funciona\w*|cómo|se (?:hace|hacen|cocina)|"
            r"por qué|qué (?:es|son)|sobre|del?"
        ),
        "tail": r"(?:funciona|funcionan|por favor|exactamente|en detalle)",
    },
    synonyms=(
        "vemos quedamos encontramos cita reunión ver",
        "vivo casa dirección piso",
        "cumpleaños cumplo nací años",
        "nombre llama llamo",
        "trabajo empleo profesión",
        "comer alérgica alérgico vegetariana vegano",
        "comer cena comida almuerzo",
        "perro perra cachorro",
        "gato gata gatito",
    ),
    shapes=r"ñ|ll|ción|ue|ie|ó\b|ar\b|er\b|as\b|os\b|ay\b|é\b|ita|ito|ía|[¿¡]|z|[ao]\b",
    short={
        "q": "que",
        "xq": "por qué",
        "pq": "por qué",
        "tqm": "te quiero mucho",
        "tq": "te quiero",
        "bn": "bien",
        "tmb": "también",
        "tb": "también",
        "x": "por",
        "grax": "gracias",
        "dnd": "dónde",
        "dnde": "dónde",
        "xfa": "por favor",
        "porfa": "por favor",
        "porfi": "por favor",
        "pls": "por favor",
        "k": "que",
        "ke": "que",
        "toy": "estoy",
        "tas": "estás",
        "toi": "estoy",
        "msj": "mensaje",
        "finde": "fin de semana",
        "mñn": "mañana",
        "bss": "besos",
        "ntp": "no te preocupes",
        "salu2": "saludos",
    },
    swaps=(
        "tu mi",
        "tus mis",
        "ti mí",
    ),
)
