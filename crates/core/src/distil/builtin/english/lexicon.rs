//! Word lists of the English rules. All in lower case.

/// What may stand in front of "I" or "my" at the head of a statement.
#[rustfmt::skip]
pub(super) const OPENERS: &[&str] = &[
    "actually", "afternoon", "again", "ah", "all", "also", "and", "anyway", "as", "at", "basically",
    "be", "because", "btw", "but", "by", "correction", "course", "currently", "day", "days",
    "evening", "everybody", "everyone", "fact", "folks", "for", "fyi", "good", "greetings", "guys",
    "hello", "hey", "hi", "hiya", "honest", "honestly", "in", "just", "know", "me", "meet",
    "moment", "morning", "nice", "no", "nope", "note", "now", "nowadays", "of", "oh", "ok", "okay",
    "personally", "please", "plus", "really", "record", "remember", "reminder", "right", "since",
    "so", "sorry", "sure", "team", "thanks", "that", "the", "there", "these", "though", "to",
    "today", "true", "truth", "uh", "um", "update", "way", "well", "wow", "ya", "yeah", "yep",
    "yes", "you", "yup", "remind", "yourself",
];

/// Adverbs that change nothing about a statement.
#[rustfmt::skip]
pub(super) const ADVERBS: &[&str] = &[
    "absolutely", "actually", "all", "already", "also", "always", "currently", "deeply",
    "definitely", "especially", "finally", "genuinely", "happily", "honestly", "just", "mainly",
    "mostly", "now", "officially", "personally", "particularly", "proudly", "quite", "really",
    "recently", "severely", "simply", "so", "still", "super", "totally", "truly", "usually", "very",
    "deathly", "highly", "both", "presently", "newly", "obviously",
];

/// Verbs that may follow "and" or a comma with the "I" of the clause before.
#[rustfmt::skip]
pub(super) const SHARED_VERBS: &[&str] = &[
    "adore", "am", "can", "cannot", "despise", "detest", "dislike", "do", "enjoy", "hate", "have",
    "like", "live", "loathe", "love", "moved", "prefer", "speak", "studied", "study", "work",
    "worked", "majored", "graduated",
];

/// Words that make a clause a guess, a wish or a plan.
#[rustfmt::skip]
pub(super) const UNSURE: &[&str] = &[
    "would", "could", "might", "maybe", "perhaps", "possibly", "probably", "should", "wish", "hope",
    "hoping", "want", "wanna", "planning", "plan", "thinking", "considering", "gonna", "shall",
    "almost", "nearly", "apparently", "supposedly", "dream", "dreamed", "dreamt", "someday",
    "guess", "think", "doubt", "unsure", "practically", "imagining", "wonder", "wondering", "ought",
    "seem", "seems",
];

/// Words that take a whole sentence out of what is so: conditions, play, and the words of others.
#[rustfmt::skip]
pub(super) const NOT_SAID: &[&str] = &[
    "if", "unless", "imagine", "suppose", "supposing", "assuming", "assume", "hypothetically",
    "hypothetical", "pretend", "pretending", "pretends", "roleplay", "role-play", "said", "says",
    "saying", "told", "tells", "asked", "asks", "wrote", "writes", "claims", "claimed", "claiming",
    "thinks", "thought", "believes", "believed", "quote", "quoted", "quoting", "joke", "joking",
    "kidding", "sarcasm", "dreamed", "dreamt", "heard", "whether", "lyric", "lyrics", "novel's",
    "screamed", "yelled", "shouted", "replied", "answered", "insists", "insisted", "suggested",
    "lied", "lie",
];

/// First words of a question without its sign. "have", "had" and "how" ask only before a pronoun.
pub(super) const QUESTION_HEADS: &[&str] = &[
    "do", "does", "did", "is", "are", "was", "were", "can", "could", "would", "should", "will",
    "shall", "may", "might", "has", "am", "who", "what", "where", "why", "how", "which", "whose",
    "whom",
];

/// First words of an order that produces or changes a text: the rest of the sentence is about that text.
#[rustfmt::skip]
pub(super) const TEXT_ORDERS: &[&str] = &[
    "write", "translate", "imagine", "create", "generate", "draft", "compose", "rewrite",
    "rephrase", "paraphrase", "summarize", "summarise", "make", "say", "repeat", "print", "output",
    "act", "play", "proofread", "correct", "fix", "complete", "continue", "reply", "respond", "use",
    "change", "replace", "put", "insert", "type", "return", "echo", "parse", "classify", "extract",
    "sing", "recite", "spell", "define", "convert",
];

/// Words that a value never has: what they point to is not in it.
pub(super) const POINTING: &[&str] = &[
    "you", "your", "yours", "yourself", "it", "its", "this", "that", "these", "those", "them",
    "him", "her", "his", "he", "she", "they", "their", "there", "here", "us", "our", "ours", "who",
    "whom", "whose", "which", "what", "how", "when", "where", "why", "is", "are", "was", "were",
    "has", "does", "did", "had", "said", "if", "i", "me", "loves", "hates", "likes", "itself",
    "same", "such", "so", "will", "been", "not", "else", "ones", "mine", "myself", "idea", "way",
];

/// First words that make the object of a liking nothing that can be kept.
#[rustfmt::skip]
pub(super) const NO_OBJECT: &[&str] = &[
    "my", "a", "an", "both", "either", "all", "everything", "nothing", "something", "anything",
    "one", "some", "most", "more", "none", "neither", "any", "every", "everyone", "everybody",
    "someone", "somebody", "nobody", "to", "about", "being", "having", "people", "how", "with",
    "and", "or", "of", "in", "on", "at", "for", "from", "as", "by", "than", "much", "very",
    "really", "just", "also", "too", "even", "still", "no", "yes", "ok", "okay", "lol", "haha",
    "seeing", "hearing", "things", "stuff", "getting", "knowing", "feeling", "watching", "sharing",
];

/// Words at the end of a value that add nothing to it.
#[rustfmt::skip]
pub(super) const TRAILERS: &[&str] = &[
    "too", "also", "lot", "much", "well", "now", "lately", "today", "anymore", "though", "really",
    "lol", "haha", "tho", "nowadays", "honestly", "actually", "though", "please", "currently",
    "best", "most", "either", "again", "already", "rn", "atm", "overall", "btw", "a", "so", "very",
    "the", "as", "more", "any", "these", "days", "right", "at", "moment", "all", "anyway",
    "obviously",
];

/// Signs and joints that end a value inside a clause.
#[rustfmt::skip]
pub(super) const VALUE_ENDS: &[&str] = &[
    "but", "because", "since", "although", "though", "so", "cuz", "cause", "while", "yet", "hence",
    "therefore", "&&", "then",
];

/// Kinds of work.
#[rustfmt::skip]
pub(super) const PROFESSIONS: &[&str] = &[
    "accountant", "actor", "actress", "administrator", "advisor", "adviser", "analyst", "animator",
    "architect", "artist", "assistant", "astronaut", "astronomer", "attorney", "auditor", "author",
    "baker", "banker", "barber", "barista", "bartender", "biologist", "bookkeeper", "bricklayer",
    "broker", "builder", "butcher", "carpenter", "cashier", "ceo", "cto", "cfo", "coo", "chef",
    "chemist", "choreographer", "clerk", "cleaner", "coach", "cobbler", "comedian", "composer",
    "conductor", "consultant", "contractor", "controller", "cook", "coordinator", "copywriter",
    "counselor", "counsellor", "curator", "dancer", "dentist", "designer", "detective", "developer",
    "dietitian", "director", "diplomat", "doctor", "driver", "economist", "editor", "educator",
    "electrician", "engineer", "entrepreneur", "executive", "farmer", "filmmaker", "firefighter",
    "fisherman", "florist", "founder", "freelancer", "gardener", "geologist", "hairdresser",
    "historian", "instructor", "intern", "interpreter", "investigator", "investor", "janitor",
    "jeweler", "journalist", "judge", "laborer", "lawyer", "lecturer", "librarian", "lifeguard",
    "linguist", "locksmith", "machinist", "magician", "manager", "marketer", "mason",
    "mathematician", "mechanic", "midwife", "miner", "model", "musician", "nanny", "neurologist",
    "novelist", "nurse", "nutritionist", "officer", "operator", "optician", "optometrist",
    "painter", "paralegal", "paramedic", "pediatrician", "pharmacist", "photographer", "physician",
    "physicist", "pianist", "pilot", "planner", "plumber", "poet", "policeman", "policewoman",
    "politician", "postdoc", "potter", "pm", "principal", "producer", "professor", "programmer",
    "psychiatrist", "psychologist", "realtor", "receptionist", "recruiter", "reporter",
    "representative", "researcher", "sailor", "salesman", "salesperson", "saleswoman", "scientist",
    "sculptor", "secretary", "singer", "social-worker", "soldier", "statistician", "stylist",
    "student", "supervisor", "surgeon", "surveyor", "sysadmin", "tailor", "teacher", "technician",
    "technologist", "therapist", "trader", "trainer", "translator", "tutor", "vet", "veterinarian",
    "violinist", "waiter", "waitress", "welder", "worker", "writer", "zoologist", "dba", "devops",
    "sre", "sde", "swe",
];

/// Ends of words that name kinds of work and nothing else.
#[rustfmt::skip]
pub(super) const PROFESSION_TAILS: &[&str] = &[
    "ologist", "ographer", "maker", "smith", "iatrist", "onomist", "therapist", "engineer",
    "developer", "teacher", "worker", "designer", "keeper", "technician",
];

/// What makes a kind of work not one's work: "a former teacher", "a terrible cook".
#[rustfmt::skip]
pub(super) const NOT_AT_WORK: &[&str] = &[
    "former", "ex", "aspiring", "future", "wannabe", "failed", "fake", "terrible", "bad", "lousy",
    "awful", "good", "great", "decent", "fast", "slow", "big", "huge", "avid", "keen", "amateur",
    "hobby", "natural", "born", "better", "best", "mediocre", "amazing", "excellent", "horrible",
    "careful", "wonderful", "would-be", "frustrated", "designated", "like", "not", "worse", "worst",
    "budding", "role", "quick", "poor", "patient", "potential", "armchair", "backseat", "home",
    "part", "never", "defensive", "safe", "nervous", "hopeful", "perfect",
];

/// Nationalities as adjectives.
#[rustfmt::skip]
pub(super) const NATIONALITIES: &[&str] = &[
    "american", "argentinian", "australian", "austrian", "belgian", "brazilian", "british",
    "bulgarian", "canadian", "chilean", "chinese", "colombian", "croatian", "cuban", "czech",
    "danish", "dutch", "egyptian", "english", "estonian", "ethiopian", "filipino", "finnish",
    "french", "german", "ghanaian", "greek", "hungarian", "icelandic", "indian", "indonesian",
    "iranian", "iraqi", "irish", "israeli", "italian", "jamaican", "japanese", "jordanian",
    "kenyan", "korean", "latvian", "lebanese", "lithuanian", "malaysian", "mexican", "moroccan",
    "nepali", "nigerian", "norwegian", "pakistani", "peruvian", "polish", "portuguese", "romanian",
    "russian", "scottish", "serbian", "singaporean", "slovak", "slovenian", "spanish", "swedish",
    "swiss", "syrian", "taiwanese", "thai", "tunisian", "turkish", "ukrainian", "venezuelan",
    "vietnamese", "welsh",
];

/// Languages that people say they speak.
#[rustfmt::skip]
pub(super) const LANGUAGES: &[&str] = &[
    "arabic", "bengali", "cantonese", "chinese", "czech", "danish", "dutch", "english", "esperanto",
    "farsi", "finnish", "french", "german", "greek", "hebrew", "hindi", "hungarian", "indonesian",
    "irish", "italian", "japanese", "korean", "latin", "malay", "mandarin", "norwegian", "persian",
    "polish", "portuguese", "punjabi", "romanian", "russian", "serbian", "spanish", "swahili",
    "swedish", "tagalog", "tamil", "thai", "turkish", "ukrainian", "urdu", "vietnamese", "welsh",
];

/// Capitalised words that follow "I'm" and are no names, beside nationalities and places.
#[rustfmt::skip]
pub(super) const NOT_NAMES: &[&str] = &[
    "afraid", "alone", "asexual", "autistic", "aries", "aquarius", "back", "bi", "bisexual",
    "bored", "broke", "buddhist", "busy", "cancer", "capricorn", "catholic", "christian", "cold",
    "confused", "deaf", "democrat", "diabetic", "done", "excited", "female", "fine", "gay",
    "gemini", "glad", "good", "great", "happy", "here", "hindu", "hispanic", "home", "hungry",
    "ill", "in", "infj", "introverted", "jewish", "just", "late", "latino", "latina", "leo",
    "lesbian", "libra", "libertarian", "lost", "lucky", "mad", "male", "married", "muslim", "new",
    "no", "not", "ok", "okay", "old", "on", "out", "pansexual", "pisces", "pregnant", "protestant",
    "ready", "republican", "sad", "sagittarius", "scorpio", "serious", "shy", "sick", "single",
    "sorry", "straight", "sure", "taurus", "team", "tired", "trans", "transgender", "trying",
    "vegan", "vegetarian", "very", "virgo", "young", "so", "really", "also", "the", "a", "an", "my",
    "still", "always", "never", "asian", "african", "european", "black", "white", "arab", "latinx",
    "queer", "nonbinary", "divorced", "gonna", "going", "looking", "too", "santa", "batman",
    "superman", "god", "satan", "iron", "spider", "sherlock", "mr", "mrs", "dr", "groot", "type",
    "generation", "gen", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", "january", "february", "march", "april", "june", "july", "august", "september",
    "october", "november", "december", "christmas", "easter", "tomorrow", "today", "tonight",
    "yesterday", "crazy", "maybe", "later", "i", "and", "or", "but", "you", "gluten", "lactose",
    "free", "pro", "anti", "half", "full", "self", "top", "number", "level", "captain",
];

/// Ends of words that adjectives have and names hardly.
pub(super) const ADJECTIVE_TAILS: &[&str] = &[
    "ish", "ese", "ist", "ful", "less", "ous", "ive", "ing", "ed", "ly", "ian", "ean", "able",
];

/// Names with such ends.
pub(super) const NAMES_LIKE_ADJECTIVES: &[&str] = &[
    "adrian",
    "brian",
    "bryan",
    "christian",
    "clive",
    "damian",
    "fabian",
    "fred",
    "gian",
    "ian",
    "jed",
    "jian",
    "julian",
    "lucian",
    "manish",
    "mohammed",
    "muhammed",
    "ahmed",
    "ned",
    "satish",
    "sebastian",
    "sean",
    "dean",
    "jean",
    "ted",
    "vivian",
    "zed",
    "emily",
    "kelly",
    "lily",
    "molly",
    "sally",
    "billy",
    "beverly",
    "carly",
    "holly",
    "polly",
    "willy",
    "reed",
    "olive",
    "ming",
    "ping",
    "jing",
    "ying",
    "qing",
    "alfred",
    "wilfred",
    "jared",
    "syed",
    "saeed",
    "kimberly",
    "marian",
    "lillian",
    "gillian",
    "jillian",
    "ashish",
    "girish",
    "rajneesh",
    "eve",
    "amed",
    "hamed",
    "khaled",
    "waleed",
    "sterling",
    "irving",
];

/// What may follow "my name is" without being the name.
pub(super) const NOT_MY_NAME: &[&str] = &[
    "not",
    "important",
    "irrelevant",
    "secret",
    "confidential",
    "unknown",
    "private",
    "none",
    "hidden",
    "complicated",
    "hard",
    "long",
    "short",
    "weird",
    "unusual",
    "common",
    "rare",
    "different",
    "misspelled",
    "wrong",
    "right",
    "spelled",
    "pronounced",
    "on",
    "in",
    "mud",
    "taken",
    "similar",
    "too",
    "also",
    "easy",
    "difficult",
    "boring",
    "ugly",
    "missing",
    "there",
    "here",
    "it",
    "that",
    "this",
    "what",
    "redacted",
    "embarrassing",
];

/// Family and friends: the word and whether a user has one of them at a time.
#[rustfmt::skip]
pub(super) const KIN: &[(&str, bool)] = &[
    ("wife", true), ("husband", true), ("partner", true), ("girlfriend", true), ("boyfriend", true),
    ("fiance", true), ("fiancé", true), ("fiancee", true), ("fiancée", true), ("mother", true),
    ("mom", true), ("mum", true), ("father", true), ("dad", true), ("sister", false),
    ("brother", false), ("son", false), ("daughter", false), ("grandmother", false),
    ("grandma", false), ("grandfather", false), ("grandpa", false), ("aunt", false),
    ("uncle", false), ("cousin", false), ("niece", false), ("nephew", false), ("friend", false),
    ("roommate", false), ("boss", true), ("colleague", false), ("coworker", false),
    ("neighbor", false), ("neighbour", false), ("stepson", false), ("stepdaughter", false),
    ("grandson", false), ("granddaughter", false), ("mentor", false),
];

/// Animals that are kept.
#[rustfmt::skip]
pub(super) const PETS: &[&str] = &[
    "dog", "dogs", "puppy", "puppies", "cat", "cats", "kitten", "kittens", "rabbit", "rabbits",
    "bunny", "hamster", "hamsters", "parrot", "parrots", "turtle", "turtles", "tortoise", "fish",
    "goldfish", "snake", "snakes", "lizard", "horse", "horses", "bird", "birds", "guinea", "ferret",
    "gecko", "chicken", "chickens", "labrador", "retriever", "poodle", "corgi", "beagle", "bulldog",
    "husky", "dachshund", "chihuahua", "pug",
];

/// Branches that one works in.
#[rustfmt::skip]
pub(super) const INDUSTRIES: &[&str] = &[
    "academia", "advertising", "agriculture", "architecture", "automotive", "aviation", "banking",
    "biotech", "construction", "consulting", "cybersecurity", "education", "energy", "engineering",
    "entertainment", "fashion", "film", "finance", "fintech", "gaming", "government", "healthcare",
    "hospitality", "hr", "insurance", "it", "journalism", "law", "logistics", "manufacturing",
    "marketing", "media", "medicine", "nursing", "pharma", "publishing", "retail", "robotics",
    "sales", "security", "software", "tech", "technology", "telecom", "tourism", "transportation",
];

/// Numbers in words, from ten on useful as ages.
#[rustfmt::skip]
pub(super) const NUMBERS: &[(&str, u32)] = &[
    ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7),
    ("eight", 8), ("nine", 9), ("ten", 10), ("eleven", 11), ("twelve", 12), ("thirteen", 13),
    ("fourteen", 14), ("fifteen", 15), ("sixteen", 16), ("seventeen", 17), ("eighteen", 18),
    ("nineteen", 19), ("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50), ("sixty", 60),
    ("seventy", 70), ("eighty", 80), ("ninety", 90),
];

/// Months, whole and short.
#[rustfmt::skip]
pub(super) const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov", "dec",
];

/// The value of a number word: "thirty", "thirty-four".
pub(super) fn number_word(word: &str) -> Option<u32> {
    let value = |word: &str| {
        NUMBERS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, value)| *value)
    };
    match word.split_once('-') {
        Some((tens, ones)) => {
            Some(value(tens).filter(|tens| *tens >= 20)? + value(ones).filter(|ones| *ones < 10)?)
        }
        None => value(word),
    }
}
