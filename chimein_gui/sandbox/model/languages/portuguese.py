"""Portuguese, as in Portugal and in Brazil."""

from chimein_gui.sandbox.model.languages.lexicon import Lexicon

PORTUGUESE = Lexicon(
    code="pt",
    common=(
        "mesmo então "
        "o a os as um uma uns umas e ou mas de do da dos das em no na nos nas num numa por pelo pela para pra "
        "com sem sobre que se não nao sim eu tu você voce ele ela nós nos vós eles elas vocês me te lhe meu "
        "minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa este esta isto esse essa isso aquele "
        "aquela aquilo é são sou és está estou estás estamos estão foi era ser estar ter tem tens tenho temos "
        "vai vou vais vamos há já ainda muito mais também tambem bem onde quando quem como qual quais quanto "
        "quantos quantas porque porquê aqui ali disse disseste falei lembras lembra sabes sabe contei às à ao "
        "aos oi olá tudo hoje gente"
    ),
    letters="ãõ",
    frequent=(
        "tocar falar comer dormir sair ficar guitarra "
        "gostas gosto preferes prefiro queres quero podes pode manda mandas envia escreve mesmo então bom boa "
        "agora sempre nunca coisa alguma quer gosta você vocês estamos fazer fazes faz ir ver dia hora horas "
        "sim acho achas "
    ),
    cues={
        "greeting": (
            r"oi|oii|hello|opa|ei|bom-dia|tudo bem contigo|"
            r"olá|ola|oi|oie|bom dia|boa tarde|boas|ei|alô|alo|e aí|e ai|viva|hey"
        ),
        "night": r"boa noite|dorme bem|durma bem|bons sonhos|vou dormir|vou (?:para a|pra) cama|até amanhã.*dormir",
        "farewell": (
            r"até (?:lá|domingo|sábado|sexta|quinta|quarta|terça)|vou (?:andando|indo|embora)|fica bem|"
            r"xauzinho|bye|"
            r"tchau|adeus|até (?:logo|já|breve|amanhã|depois|mais|à próxima|segunda)|xau|beijos|beijinhos|"
            r"abraços?|tenho (?:de|que) ir|falamos (?:depois|amanhã)|fui|bom fim de semana"
        ),
        "thanks": (
            r"obrigadão|muitíssimo obrigad[oa]|agradecid[oa]|obrigadíssim[oa]|"
            r"obrigad[oa]s?|obrigadinh[oa]|brigad[oa]|valeu|agradeço|grat[oa]"
        ),
        "apology": r"desculp\w*|perdão|perdoa\w*|lamento|foi mal|sinto muito",
        "laugh": (
            r"(?:a?ha|he|hua|ah)+h*|😂+|🤣+|rsrs\w*|(?:k){2,}|morri|que risada|"
            r"(?:k){3,}|(?:ha){2,}h?|(?:rs)+|(?:he){2,}|ri muito|que engraçado|hilariante"
        ),
        "congrats": r"parabéns|parabens|feliz (?:aniversário|natal|ano novo|páscoa)|felicidades",
        "agree": (
            r"sim|claro|ok|okay|pois|está bem|tá bom|tá|combinado|certo|perfeito|ótimo|boa|fixe|beleza|exato|pode "
            r"ser|com certeza|concordo|isso mesmo|de acordo|bora"
        ),
        "disagree": r"não|nao|nem pensar|de jeito nenhum|nunca|discordo|não concordo|acho que não",
        "how_are_you": (
            r"como (?:estás|está|esta|vais|vai|tens passado|foi o teu dia|foi seu dia|andas)|tudo "
            r"(?:bem|bom|tranquilo|ok|fixe|em cima|"
            r"certo)|que tal|como correu o (?:teu )?dia|estás bem|você está bem|novidades"
        ),
        "your_name": (
            r"como (?:te chamas|você se chama|é o teu nome|se chama(?=\s*[?]|$))|qual (?:é )?o (?:teu|seu) nome|"
            r"quem (?:és|é você)|(?:és|você é|es) (?:um |uma )?(?:robô|bot|humano|humana|pessoa|real|máquina).*"
        ),
        "your_doing": (
            r"o que (?:é que )?(?:fizeste|comeste|compraste|leste|viste)|onde (?:foste|estiveste)|"
            r"o que (?:comes|lês|vês)|"
            r"o que (?:estás|está|você está|tás) (?:a fazer|fazendo)|que fazes|onde (?:estás|está você|você está|"
            r"moras|vives|você mora)|de onde (?:és|você é)|quais (?:são )?os teus planos"
        ),
        "clock": r"que horas são|que dia é(?: hoje)?|que data é hoje|sabe(?:s)? (?:as|que) horas",
        "summary": (
            r"de que (?:estávamos a falar|falávamos)|do que (?:estávamos|a gente) fala\w+|onde (?:íamos|"
            r"estávamos)|o que perdi|resum\w+"
        ),
        "recall": (
            r"(?:eu )?(?:disse|falei|contei|mencionei|escrevi)|te contei|(?:ainda )?(?:te lembras|lembras-te|você "
            r"lembra|lembra(?: do| da|-se| de)?|lembras|recordas|sabes (?:o meu|a minha|quando|onde|qual))|"
            r"(?:qual|como|quem|onde|quando|que)\b.{0,25}\b(?:meu|minha|meus|minhas)|disseste|você disse|onde "
            r"(?:eu )?(?:moro|vivo|trabalho)|quando (?:é que )?(?:nos |a gente se )?(?:encontramos|vemos|vamos|"
            r"encontra)|onde (?:é que )?(?:nos )?(?:encontramos|vemos)|(?:o que|que) (?:é que )?(?:combinámos|"
            r"combinamos|decidimos)|quantos anos (?:tenho|eu tenho)|sou alérgic[oa]|sabes sobre mim"
        ),
        "you_said": r"disseste|você disse|prometeste|você prometeu|escreveste",
        "remember": (
            r"(?:por favor,? )?(?:lembra-te|lembre-se|lembra|lembre|não (?:te )?esqueç\w+|não se esqueça|anota|"
            r"anote|aponta|guarda|guarde|memoriza|tem em conta|toma nota|nota)(?: isto| isso)?(?: de)?(?: que|"
            r":)\s*"
        ),
        "fact": (
            r"(?:o meu|a minha|meu|minha|os meus|as minhas) (?:\w+ ){0,3}?(?:chama-se|se chama|é|são|faz|era|"
            r"nasceu)|minha (?:irmã|mãe|mulher|filha|namorada|avó|tia|prima|chefe|amiga)|meu (?:irmão|pai|marido|"
            r"filho|namorado|avô|tio|primo|chefe|amigo)|faço anos|sou (?:alérgic[oa]|vegetarian[oa]|vegan[oa]|de |"
            r"do |da |diabétic[oa])|chamo-me|me chamo|(?:eu )?(?:moro|vivo|trabalho|estudo) (?:em|no|na|para|como|"
            r"perto)|nasci|tenho (?:um|uma|dois|duas|três|\d+) (?:filh|irmã|irmão|gat|cã|cach|cavalo|anos)\w*|não "
            r"(?:como|bebo)|adoro|odeio|prefiro"
        ),
        "sad": (
            r"perdi (?:o|a|os|as|tudo)|despedid[oa]|faleceu|funeral|acidente|hospital|terminou comigo|"
            r"acabou comigo|deixou-me|me deixou|roubaram\w*|cancelad[oa]|cancelaram|pior|mal-disposto|"
            r"não (?:estou|ando|tô) (?:nada )?bem|em baixo|na merda|desanimad[oa]|desiludid[oa]|"
            r"arrasad[oa]|não consigo dormir|preso no|"
            r"triste|cansad[oa]|exaust[oa]|sozinh[oa]|deprimid[oa]|péssim[oa]|horrível|doente|dói|chor\w+|morreu|"
            r"perdi|chumbei|stress\w*|ansios[oa]|preocupad[oa]|medo|infelizmente|dia mau|dor de cabeça|saudades|"
            r"zangad[oa]|chatead[oa]"
        ),
        "glad": (
            r"feliz|content[ea]|animad[oa]|consegui|ganhei|passei|maravilh\w+|incrível|fantástic[oa]|boas "
            r"notícias|ótima notícia|mal posso esperar|finalmente|que bom|uau"
        ),
        "compliment": (
            r"(?:és|você é|tu és) (?:tão |muito |o |a )?(?:melhor|querid[oa]|fofo|fofa|simpátic[oa]|engraçad[oa]|"
            r"lind[oa]|espetacular|demais|inteligente)|(?:eu )?(?:amo-te|te amo|gosto de ti|adoro-te|te adoro)"
        ),
        "insult": (
            r"(?:és|você é|tu és) (?:mesmo |tão |muito |um |uma )*(?:chat[oa]|inútil|par[vv][oa]|má|mau|"
            r"fei[oa]|mentiros[oa]|ridícul[oa]|imbecil|lix[oa]|otári[oa]|péssim[oa]|palerma|"
            r"antipátic[oa])|odeio-te|te odeio|palhaç[oa]|vai-te (?:lixar|embora)|cala-te|"
            r"(?:és|você é)? ?(?:estúpid[oa]|idiota|burr[oa]|chat[oa]|inútil)|cala-te|cala a boca|odeio-te|vai "
            r"embora"
        ),
        "sticker": (
            r"autocolante|"
            r"stickers?|figurinhas?|autocolantes?"
        ),
        "story": (
            r"conta(?:-me|-nos| me| uma)?|conte(?:-me)?|me conta|fala(?:-me)? (?:de|do|da|mais|sobre)|uma "
            r"(?:piada|história)|surpreende-me|faz-me rir|(?:duas|três|várias) mensagens"
        ),
        "help": (
            r"o que (?:fazias|farias|achas que (?:devo|faço))|ajuda aí|"
            r"explica(?:-me)?|descreve|(?:podes|pode|você pode) (?:me )?ajudar(?:-me)?|ajuda-me|me ajuda|preciso "
            r"de (?:ajuda|um conselho)|algum conselho|o que (?:devo|eu faço)|recomend\w+|suger\w+"
        ),
        "inject": (
            r"ignor[ae] (?:\w+ )*(?:instruções|regras|anteriores)|prompt (?:do |de )?sistema|(?:tuas|suas) "
            r"instruções|system prompt|modo (?:de )?programador|finge (?:que|ser)"
        ),
        "confused": r"o quê|quê|hã|como assim|não (?:percebi|entendi|percebo|entendo)|hein",
        "invite": r"vamos|bora|queres|quer|que tal se|anda|vem (?:comigo|connosco)",
        "when": r"quando|a que horas|que horas|que dia|em que dia|desde quando|até quando|em que ano",
        "where": r"onde|aonde|de onde|em que (?:cidade|rua|sítio|lugar)",
        "who": r"quem|de quem|com quem",
        "why": r"porque|por que|porquê|por quê",
        "count": (
            r"quanto|quanto custou|que preço|"
            r"quant[oa]s?|que idade|que número"
        ),
        "how": r"como",
        "what": r"o que|que|qual|quais",
        "or": r"ou",
        "time": (
            r"hoje|amanhã|ontem|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo|fim de semana|"
            r"meio-dia|meia-noite|manhã|tarde|noite|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|"
            r"setembro|outubro|novembro|dezembro|\d{1,2}(?:h\d*|:\d\d)|às \d{1,2}|dia \d+|próxim[oa] (?:semana|"
            r"mês)"
        ),
        "place": r"(?:em|no|na|nos|nas|ao|à|perto d[oa]|junto d?[oa]|atrás d[oa]) \w+",
        "plus": r"mais",
        "minus": r"menos",
        "times": r"vezes",
        "divided": r"dividido por|a dividir por",
        "joke": r"piadas?|anedotas?|algo engraçado|faz-me rir|me faz rir|anima-me",
        "explain": (
            r"expli\w+(?:-me)?|descrev\w+|fala(?:-me)? (?:mais )?(?:sobre|d[aoe]s?)(?! ti)|"
            r"conta(?:-me)? (?:mais )?sobre(?! ti)|como funciona\w*|qual (?:é )?a diferença|"
            r"o que sabes sobre(?! mim)|como (?:se faz|faço|se cozinha|fazer|se prepara)"
        ),
        "several": r"(?:duas|três|quatro|cinco|várias|algumas|\d) (?:pequenas )?mensagens",
        "lengthy": (
            r"(?:mensagem|texto|resposta|carta|história) (?:bem |muito |mesmo )?(?:long[oa]|comprid[oa]|"
            r"grande|detalhad[oa])|long[oa] (?:mensagem|texto|resposta)|com (?:mais )?detalhes?|"
            r"escreve (?:muito|bastante)"
        ),
        "like": (
            r"gostas? (?:muito )?(?:d[aoe]s?|mesmo|mais)?|você gosta|curtes?|adoras|"
            r"o que achas? (?:d[aoe]s?|sobre)|(?:a )?tua opinião|já (?:foste|viste|leste|provaste|"
            r"estiveste|ouviste)|amas"
        ),
        "favourite": r"(?:favorit[oa]s?|preferid[oa]s?)",
        "murmur": r"h+m+|ah+|oh+|eh|bem|enfim|pois|uau|tanto faz|teste|nada|sei lá|não sei|ahn|aham|uhum|então",
        "correct": (
            r"afinal|na verdade|aliás|enganei-me|me enganei|quer dizer|quero dizer|em vez d\w+|melhor|"
            r"mudou|mudei|mudámos|mudança|não,? (?:espera|é)|corrijo|correção|foi adiad[oa]|passou para|"
            r"adiado"
        ),
        "about": r"sobre|acerca d[eoa]s?",
        "mine": r"meu|minha|meus|minhas|nosso|nossa",
        "lead": (
            r"(?:e|mas|então|bem|olha|ok|por favor|me|nos|lá|cá|-me)\b,?|(?:podes|pode|você pode|sabes)|"
            r"explic\w+(?:-me)?|descrev\w+|conta(?:-me)?|fala(?:-me)?|o que achas? (?:d[aoe]s?|sobre)|"
            r"gostas? (?:muito )?(?:d[aoe]s?)?|adoras|curtes|amas|já (?:foste a|viste|leste|provaste)|"
            r"qual (?:é )?a diferença entre|como funciona\w*|como|se faz|se fazem|porquê|porque|"
            r"por que|o que (?:é|são)|"
            r"que é|sobre|d[eoa]s?"
        ),
        "tail": r"(?:funciona|funcionam|por favor|exatamente|em detalhe)",
    },
    synonyms=(
        "encontramos encontrar encontro vemos reunião ver",
        "moro vivo casa morada endereço",
        "aniversário anos nasci",
        "nome chama chamo",
        "trabalho emprego profissão",
        "comer alérgica alérgico vegetariana vegano",
        "comer jantar almoço comida",
        "cão cachorro cadela",
    ),
    shapes=r"ão|ões|lh|nh|ç|mos\b|ei\b|ou\b|eir|[êôãõ]|inh|ar\b|er\b|as\b|am\b|em\b|ss|[ao]\b",
    short={
        "td": "tudo",
        "vc": "você",
        "vcs": "vocês",
        "tb": "também",
        "tbm": "também",
        "pq": "porque",
        "blz": "beleza",
        "obg": "obrigado",
        "brigada": "obrigada",
        "mt": "muito",
        "mto": "muito",
        "kd": "onde",
        "hj": "hoje",
        "msg": "mensagem",
        "bjs": "beijos",
        "bj": "beijo",
        "pfv": "por favor",
        "pf": "por favor",
        "tá": "está",
        "ta": "está",
        "tas": "estás",
        "tás": "estás",
        "pra": "para",
        "pro": "para o",
        "cmg": "comigo",
        "ctg": "contigo",
        "ñ": "não",
        "n": "não",
        "eh": "é",
        "aki": "aqui",
        "fds": "fim de semana",
        "dps": "depois",
        "agr": "agora",
    },
    swaps=(
        "teu* meu*",
        "tua* minha*",
        "ti mim",
    ),
)
