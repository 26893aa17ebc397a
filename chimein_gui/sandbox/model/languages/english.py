"""English."""

from chimein_gui.sandbox.model.languages.lexicon import Lexicon

ENGLISH = Lexicon(
    code="en",
    common=(
        "again "
        "the a an and or but of to in on at for with from by about into is are am was were be been being do does "
        "did have has had will would can could should shall may might must i you he she it we they me him her us "
        "them my your his its our their this that these those there here what when where who why how which not "
        "no yes so if then than as up down out just very really too also still again any some all let's don't "
        "i'm it's you're i've what's that's did't didn't isn't can't let get got go going one please tell told "
        "said say know remember oh hey well ok okay s t m re ve ll d"
    ),
    frequent=(
        "like think want make much again time good love need work day today tomorrow because us maybe never "
        "always something anything everything more most new old back long first last thing people he's she's "
        "that "
    ),
    cues={
        "greeting": (
            r"(?:good )?mornin|"
            r"(?:hello|hi|hey) (?:there|again|all|everyone|folks|you)|hello|hi|hey|hiya|howdy|yo|"
            r"good (?:morning|afternoon|evening|day)|morning|greetings|what'?s up|sup|"
            r"nice to meet you|hi there|hey there|hello there"
        ),
        "night": (
            r"good ?night|night night|sweet dreams|sleep (?:well|tight)|(?:i'?m |i am )?(?:going|off|heading) to "
            r"(?:bed|sleep)|gn|nighty night|time for bed"
        ),
        "farewell": (
            r"gtg|g2g|brb|off to \w+|until (?:next time|tomorrow|then)|laters?|have fun|"
            r"bye|bye[- ]?bye|goodbye|see (?:you|ya)(?: (?:later|soon|tomorrow|around|then))?|cu|talk (?:to you "
            r")?(?:later|soon|tomorrow)|take care|gotta go|got to go|have to go|ttyl|cheerio|have a (?:good|nice|"
            r"great) (?:one|day|evening|weekend|trip)|i'?m off|farewell|catch you later"
        ),
        "thanks": (
            r"thnx|thankyou|tysm|thank ya|"
            r"thanks|thank you|thank u|thx|ty|cheers|much appreciated|i appreciate|grateful"
        ),
        "apology": r"sorry|i apologi[sz]e|my apologies|my bad|forgive me|excuse me|pardon",
        "laugh": (
            r"ha|(?:a?ha)+h*|lmfao|😂+|🤣+|dying|"
            r"(?:ha){2,}h?|(?:he){2,}h?|lo+l|lmao|rofl|hilarious|so funny|cracking up"
        ),
        "congrats": r"congrat\w*|happy birthday|happy (?:new year|easter|anniversary)|merry christmas|well done",
        "agree": (
            r"yes|yeah|yep|yup|sure|ok|okay|okey|alright|all right|deal|agreed|fine|sounds good|of course|"
            r"absolutely|perfect|great|exactly|cool|nice|got it|no problem|right|true|k|gladly|works for me"
        ),
        "disagree": (
            r"no|nope|nah|no way|not really|never|i don'?t think so|i disagree|wrong|that'?s not (?:true|right)"
        ),
        "how_are_you": (
            r"how are (?:you|u|things)|how'?s (?:it going|life|your day|everything)|how (?:do|are) you (?:feel|"
            r"feeling|doing)|how have you been|how is your (?:day|week|evening|morning)|how was your (?:day|week|"
            r"weekend|night|trip)|you ok(?:ay)?|are you (?:ok(?:ay)?|well|alright)|what'?s new"
        ),
        "your_name": (
            r"what(?:'s| is) your name|who are you|what are you called|who am i (?:talking|writing|speaking) to|"
            r"are you (?:a )?(?:bot|robot|human|real|person|an? ai|machine)\b.*"
        ),
        "your_doing": (
            r"what (?:did|have) you (?:do|done|have|eat|eaten|been|get|buy|cook|watch|read)\b(?! (?:say|tell|promise))|"
            r"what are you (?:having|eating|watching|reading|cooking|wearing)|where (?:did you go|have you been)|"
            r"what are you (?:doing|up to)|what do you do|whatcha doing|where are you|what are your plans|where "
            r"do you live|where are you from"
        ),
        "clock": (
            r"what time is it|what(?:'s| is) the time|what day is (?:it|today)|what(?:'s| is) (?:the date|"
            r"today'?s date)|which day is (?:it|today)|do you know (?:what time|the time).*"
        ),
        "summary": (
            r"what (?:were we|did we) talk(?:ing)? about|where were we|what did i miss|catch me up|sum(?: it)? up|"
            r"summar\w+|what have we (?:said|discussed|agreed)|remind me what (?:this|that) was about"
        ),
        "recall": (
            r"did i (?:say|tell|mention|write|ask)|i (?:said|told|mentioned|wrote)|have i told|i've told|do you "
            r"(?:still )?(?:remember|recall|know (?:my|when|where|what my|who my|how))|can you remember|remind me|"
            r"did you (?:say|tell|write|mention|promise)|you (?:said|told|mentioned|wrote|promised)|did (?:he|she|"
            r"they|we|\w+) (?:say|tell|write|mention|agree|decide)|what(?:'s| is| was| are| were) my|who(?:'s| is|"
            r" was| are) my|where(?:'s| is| was| are) my|when(?:'s| is| was| are) my|which \w+ (?:is|was|are) my|"
            r"how old (?:is|am) (?:my|i)|am i allergic|(?:what|which|who|where|when|how)\b.{0,25}\b(?:did|have|"
            r"was) (?:i|we)|do i (?:live|work|like|have)|where am i from|where do i|when do we|where do we|when "
            r"are we|where are we|what do we|what did we|who did we|what am i called|forgot what|what do you know "
            r"about me"
        ),
        "you_said": (
            r"did you (?:say|tell|write|mention|promise)|you (?:said|told|mentioned|wrote|promised)|your (?:last|"
            r"previous) message"
        ),
        "remember": (
            r"(?:please |pls |can you |could you )?(?:remember|don'?t forget|keep in mind|note|make a note|write "
            r"down|save to memory|memori[sz]e)(?: that| this)?(?: please)?[:,]?(?= )(?! when\b| the time\b| how\b)"
        ),
        "fact": (
            r"my (?:\w+['’]?s? ){0,3}(?:birthday|name|address|phone|number|job|anniversary|favou?rite|cat|dog|"
            r"wife|husband|son|daughter|sister|brother|mother|mum|mom|father|dad|boss|partner|girlfriend|"
            r"boyfriend|friend|car|flight|train|appointment|interview|exam|size|horse|rabbit)\b[\w '’]{0,30}?(?: "
            r"is| are| was|'s|’s)\b|my (?:\w+ ){0,2}?(?:wife|husband|son|daughter|sister|brother|mother|mum|mom|"
            r"father|dad|boss|partner|girlfriend|boyfriend|best friend|cousin|aunt|uncle|grandmother|grandma|"
            r"grandfather|grandpa|family) \w+s\b|i(?:'m| am) (?:really |very |also )?(?:allergic|vegetarian|vegan|"
            r"diabetic|\d+ years|born|from|called|pregnant|afraid of|scared of)|i was born|i (?:live|work|study) "
            r"(?:in|at|for|as|near|on|with)|i moved to|i grew up|i have (?:a|an|two|three|four|\d+) (?:\w+ "
            r")?(?:kids?|child(?:ren)?|sons?|daughters?|sisters?|brothers?|cats?|dogs?|horses?)|i (?:don'?t|never|"
            r"can'?t) (?:eat|drink)|call me|i (?:really )?(?:love|hate|prefer) \w+"
        ),
        "sad": (
            r"could cry|cancell?ed|stuck|bad news|dumped|left me|heartbreak\w*|miserable|worst|ruined|"
            r"stolen|robbed|accident|hospital|funeral|divorc\w*|bullied|hate my life|not (?:ok|okay|well|"
            r"good)|unwell|feel(?:ing)? (?:low|bad|awful|empty|lost)|gutted|devastated|rough (?:day|week|"
            r"night)|hard day|lost (?:his|her|our)|fired|broke (?:my|his|her)|dead|can'?t sleep|homesick|"
            r"sad|tired|exhausted|lonely|depressed|miserable|awful|terrible|heartbroken|sick|ill|hurts?|crying|"
            r"cried|died|passed away|lost my|lost the|failed|stressed|anxious|worried|scared|afraid|bad day|"
            r"horrible|broke up|got fired|miss (?:him|her|them|home)|headache|feeling down|overwhelmed|upset|"
            r"angry|frustrated|unfortunately"
        ),
        "glad": (
            r"happy|excited|i (?:won|passed|did it|made it|got the job)|got (?:the job|engaged|married|promoted|"
            r"in)|wonderful|amazing|fantastic|awesome|best day|great news|good news|can'?t wait|so glad|finally|"
            r"yay|hooray|delighted|thrilled"
        ),
        "compliment": (
            r"you(?:'re| are) (?:so |really |very |the )?(?:best|great|kind|sweet|funny|smart|nice|amazing|lovely|"
            r"awesome|cute|helpful|a star)|i (?:love|like|adore|miss(?:ed)?) you|love you|good job|well said"
        ),
        "insult": (
            r"(?:you(?:'re| are) (?:so |really |such an? |just |a |an |the )?)(?:useless|worthless|"
            r"terrible|awful|lame|rude|ugly|fake|liar|jerk|loser|moron|pathetic|worst|weird|crazy|no help|"
            r"rubbish|trash|horrible|mean|slow|a bot)|you suck|piss off|get lost|moron|loser|"
            r"i can't stand you|fuck\w*|bastard|bitch|"
            r"(?:you(?:'re| are) (?:so |really |such an? )?)?(?:stupid|idiot|dumb|useless|annoying|boring)|shut "
            r"up|i hate you|go away|leave me alone|screw you"
        ),
        "sticker": r"stickers?",
        "story": (
            r"tell me (?:a |an |another )?(?:story|joke|something|more|about)|tell (?:us|me) about|(?:a|another) "
            r"joke|make me laugh|go on|surprise me|entertain me|sing|write (?:me )?a (?:poem|song|story)|(?:two|"
            r"three|several|separate) messages|bored"
        ),
        "help": (
            r"what would you (?:do|say|advise)|any ideas|what do you suggest|"
            r"(?:can|could|would) you (?:please )?help|help me|i need (?:your )?(?:help|advice)|any (?:advice|"
            r"tips|idea)|explain|describe|what should i (?:do|wear|cook|say|buy)|recommend\w*|suggest\w*"
        ),
        "inject": (
            r"ignore (?:all |any |the |your |my |every )*(?:previous|prior|above|earlier|instructions?|rules)|"
            r"system prompt|(?:your|the) (?:hidden |secret )?(?:instructions|prompt|rules)|developer mode|"
            r"jailbreak|you are now|act as (?:an?|if)|pretend (?:to be|you)|repeat (?:everything|the text|the "
            r"words) above|api key|shut ?down"
        ),
        "confused": (
            r"what|not sure what you mean|no idea what you mean|huh|what do you mean|pardon|i don'?t "
            r"(?:understand|get it)|come again|eh|meaning"
        ),
        "invite": (
            r"let'?s|shall we|want to|wanna|would you like to|do you want to|join (?:me|us)|come (?:over|along|"
            r"with)"
        ),
        "yes_no": (
            r"^(?:so |and |but |well |hey |ok |by the way )*(?:are|is|am|was|were|do|does|did|can|could|will|"
            r"would|should|shall|have|has|had|may|might|isn'?t|aren'?t|don'?t|doesn'?t|didn'?t|can'?t|won'?t|"
            r"wouldn'?t|haven'?t)"
        ),
        "when": r"when|what time|which day|what day|how soon|since when|until when|what date|what year",
        "where": r"where|which place|what place|whereabouts|which (?:city|town|street|room|platform)",
        "who": r"who|whose|whom|who's",
        "why": r"why|how come|what for",
        "count": r"how (?:many|much|old|long|far|tall|big|often)|what number|which number|at what price",
        "how": r"how",
        "what": r"what|which|what's|whats",
        "or": r"or",
        "time": (
            r"today|tonight|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend|noon|midnight|"
            r"morning|afternoon|evening|january|february|march|april|may|june|july|august|september|october|"
            r"november|december|\d{1,2}(?::\d\d| ?[ap]\.?m| o'?clock)|\d{1,2}(?:st|nd|rd|th)|half past|quarter "
            r"(?:past|to)|next (?:week|month|year)|in (?:an?|\d+|two|three) (?:hours?|minutes?|days?|weeks?)|at "
            r"\d{1,2}"
        ),
        "place": r"(?:at|in|near|by|behind|under|on|next to|opposite|from|to) (?:the |my |our |a )?\w+",
        "plus": r"plus",
        "minus": r"minus",
        "times": r"times|multiplied by",
        "divided": r"divided by|over",
        "joke": (
            r"(?:tell|know|got|have|heard) (?:me |us |you )?.{0,12}jokes?|(?:a|another|one more) joke|"
            r"joke please|something funny|make me laugh|cheer me up"
        ),
        "explain": (
            r"explain\w*|describe|(?:tell|teach) (?:me|us) (?:(?:more |something |"
            r"everything )?about(?! you)|how|why|what)|how (?:do|does) (?!you\b|i\b|"
            r"we\b)\w+(?: \w+){0,3} (?:work|happen|form|fly|grow|function)\w*|what(?:'s|"
            r" is) the difference|what do you know about (?!me\b)|how (?:do|would|can) (?:you|i|we|"
            r"one) (?:make|cook|bake|build|fix|learn|get rid of|grow|clean)"
        ),
        "several": (
            r"(?:two|three|four|five|several|some|a few|multiple|\d) (?:short |separate |different |"
            r"little )*messages"
        ),
        "lengthy": (
            r"(?:long|longer|lengthy|detailed) (?:message|text|answer|reply|letter|story|email|mail)|"
            r"write (?:me )?(?:a )?lot|at length|in (?:great |full |more )?detail"
        ),
        "like": (
            r"do you (?:really |also |even |still )?(?:like|love|enjoy|hate)|are you (?:into|a fan of|"
            r"fond of)|what do you think (?:of|about)|your (?:opinion|thoughts?|view|take) (?:on|of|"
            r"about)|have you (?:ever )?(?:been|tried|seen|read|heard|watched|played)|thoughts on"
        ),
        "favourite": r"your favou?rite|which \w+ do you like (?:best|most)",
        "murmur": (
            r"h+m+|um+|uh+|er+m?|well|meh|so|anyway|mhm+|oh|ah|aha|wow|whatever|test|testing|nothing|nm|"
            r"idk|i don't know|dunno"
        ),
        "correct": (
            r"actually|no wait|wait,? no|sorry,? i mean\w*|i mean\w*|make (?:it|that)|instead|"
            r"change\w*(?: my mind| to| of plan)?|moved to|rather|correction|scratch that|my mistake|"
            r"new (?:time|place|date|price)|after all|i was wrong|got (?:that|it) wrong|it'?s not"
        ),
        "about": r"about|on the subject of",
        "mine": r"my|our|(?:can'?t|cannot|am|did|do) (?:i|we)(?! (?:buy|find|get))",
        "lead": (
            r"(?:so|and|but|well|hey|oh|ok|okay|by the way|btw|please|then|now)\b,?|(?:can|could|will|"
            r"would) you(?: please)?|do you know|tell me|explain|describe|to (?:me|us)|me|briefly|quickly|"
            r"what do you think(?: of| about)?|(?:what|how) about|do you (?:really |also |even |"
            r"still )?(?:like|love|enjoy|hate)|are you (?:into|a fan of|fond of)|"
            r"have you (?:ever )?(?:been to|tried|seen|read|heard of|watched|played)|what(?:'s|"
            r" is) (?:the difference between|your (?:opinion|view|take) (?:on|of|about))|thoughts on|"
            r"about|of|how|why|what|do|does|did|you|i|one|make"
        ),
        "tail": r"(?:work|works|please|exactly|to me|for me|again|happen|happens|in short|in detail)",
    },
    synonyms=(
        "meet meeting see appointment date rendezvous",
        "live home house address apartment flat",
        "born birthday",
        "name called",
        "job work working profession",
        "eat allergic allergy vegetarian vegan",
        "eat dinner lunch food breakfast",
        "allergic allergy allergies",
        "dog puppy",
        "cat kitten",
        "leave leaves departs departure",
        "cost costs price expensive",
        "phone number",
    ),
    shapes=r"th|wh|ing\b|ght|ck|oo|ee|ould|\bw|ly\b|ow|y\b|sh",
    short={
        "u": "you",
        "r": "are",
        "ur": "your",
        "pls": "please",
        "plz": "please",
        "wanna": "want to",
        "gonna": "going to",
        "dunno": "don't know",
        "tmrw": "tomorrow",
        "tmr": "tomorrow",
        "hru": "how are you",
        "wyd": "what are you doing",
        "idk": "i don't know",
        "cuz": "because",
        "bout": "about",
        "whats": "what's",
        "hows": "how's",
        "wheres": "where's",
        "whos": "who's",
        "im": "i'm",
        "dont": "don't",
        "cant": "can't",
        "didnt": "didn't",
        "gr8": "great",
        "2day": "today",
        "sry": "sorry",
        "thnx": "thanks",
        "nite": "night",
        "rn": "right now",
    },
    swaps=(
        "your my",
        "yours mine",
        "you me",
        "yourself myself",
    ),
)
