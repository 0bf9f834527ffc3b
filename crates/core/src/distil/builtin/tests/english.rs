//! What English statements fill, and what fills nothing.

use super::{check, fills_nothing};

#[test]
fn names() {
    check(&[
        ("My name is Anna.", &["basic_info::name=Anna"]),
        (
            "Hi there, my name is Anna Maria Lopez and I need help",
            &["basic_info::name=Anna Maria Lopez"],
        ),
        ("my name is anna", &["basic_info::name=anna"]),
        (
            "My name’s Ludwig van Beethoven.",
            &["basic_info::name=Ludwig van Beethoven"],
        ),
        (
            "Actually my name is Anna, not Ana",
            &["basic_info::name=Anna"],
        ),
        ("My name is Simone.", &["basic_info::name=Simone"]),
        ("My name is Ana", &["basic_info::name=Ana"]),
        ("Hello! I'm Brian.", &["basic_info::name=Brian"]),
        (
            "Hey, I'm Priya Shah, nice to meet you",
            &["basic_info::name=Priya Shah"],
        ),
        ("I am called Max.", &["basic_info::name=Max"]),
        ("Please call me Max", &["basic_info::name=Max"]),
        (
            "My name is Maximilian Stein, but everyone calls me Max.",
            &[
                "basic_info::name=Maximilian Stein",
                "basic_info::nickname=Max",
            ],
        ),
        ("You can call me Mo.", &["basic_info::name=Mo"]),
        ("My name is \"Sparrow\".", &["basic_info::name=Sparrow"]),
        ("I'm Олег.", &["basic_info::name=Олег"]),
        ("My name is 小林.", &["basic_info::name=小林"]),
    ]);
}

#[test]
fn not_names() {
    fills_nothing(&[
        "I'm Happy.",
        "I'm British-ish",
        "I'm Vegan?",
        "I'm OK.",
        "I'm Sorry, Anna",
        "I'm Team Edward",
        "Call me later.",
        "Call me crazy",
        "Call me Monday",
        "My name is not important",
        "My name is on the list",
        "My name is hard to pronounce",
        "My name is spelled wrong",
        "My name isn't Bob",
        "What is my name?",
        "I'm Batman",
        "I'm Very Tired",
        "I'm Going Home",
        "I'M SO TIRED",
        "Do you know my name is Bob",
        "Bob: My name is Bob",
        "My name used to be Bob",
        "My name is Bob in the game",
        "I'm Lovin It",
        "I'm Indian-American",
        "I'm Gluten Free",
        "Don't call me Max",
        "Her name is Anna",
        "The name is taken",
        "I'm excited, Anna!",
    ]);
}

#[test]
fn age_birth_gender_nationality() {
    check(&[
        ("I'm 34.", &["basic_info::age=34"]),
        (
            "I am 34 years old and I live in Oslo",
            &["basic_info::age=34", "contact_info::city=Oslo"],
        ),
        ("I just turned 30 yesterday", &["basic_info::age=30"]),
        (
            "I'm a 34-year-old nurse from Bergen",
            &[
                "basic_info::age=34",
                "work::title=nurse",
                "basic_info::hometown=Bergen",
            ],
        ),
        (
            "I'm thirty-four years old",
            &["basic_info::age=thirty-four"],
        ),
        ("My age is 41", &["basic_info::age=41"]),
        ("I'm 28, single", &["basic_info::age=28"]),
        (
            "I'm 28 and single.",
            &["basic_info::age=28", "demographics::marital_status=single"],
        ),
        (
            "My birthday is May 5, 1990.",
            &["basic_info::birth_date=May 5, 1990"],
        ),
        (
            "My birthday is on the 3rd of March",
            &["basic_info::birth_date=3rd of March"],
        ),
        (
            "I was born on 12 June 1984 in Lyon",
            &["basic_info::birth_date=12 June 1984"],
        ),
        ("I was born in 1984.", &["basic_info::birth_date=1984"]),
        ("I'm a woman.", &["basic_info::gender=woman"]),
        (
            "I am a transgender woman and proud of it",
            &["basic_info::gender=transgender woman"],
        ),
        ("I'm German.", &["basic_info::nationality=German"]),
        (
            "I'm Canadian, but I live in Paris",
            &[
                "basic_info::nationality=Canadian",
                "contact_info::city=Paris",
            ],
        ),
        (
            "I speak English, Spanish and some French",
            &["basic_info::language_spoken=English; Spanish"],
        ),
        (
            "My email is max@example.org",
            &["contact_info::email=max@example.org"],
        ),
        (
            "My email address is max@example.org",
            &["contact_info::email=max@example.org"],
        ),
    ]);
}

#[test]
fn not_age_birth_gender_nationality() {
    fills_nothing(&[
        "I'm 34 weeks pregnant",
        "I'm 30% sure",
        "I'm 5 minutes late",
        "I'm 5'8\" tall",
        "I'm turning 30 next week",
        "If I'm 34 by then",
        "I was 12 when we moved",
        "My birthday is next Friday",
        "My birthday is in two weeks",
        "I'm a German teacher's son",
        "I'm 1 of 5",
        "She is 34 years old",
        "I feel 80",
        "I'm a man of my word",
        "I'm polish",
        "Am I 34",
        "I would be 34",
        "I turned 30 pages",
        "I turned left",
        "I'm 100 percent sure",
        "I speak fast",
    ]);
}

#[test]
fn places() {
    check(&[
        ("I live in Oslo.", &["contact_info::city=Oslo"]),
        ("i live in oslo and love it", &["contact_info::city=oslo"]),
        ("I moved to Oslo", &["contact_info::city=Oslo"]),
        (
            "I just moved from Bergen to Oslo last week!",
            &["contact_info::city=Oslo"],
        ),
        (
            "I've been living in New York City for 3 years",
            &["contact_info::city=New York City"],
        ),
        ("I am based in Kaunas", &["contact_info::city=Kaunas"]),
        ("I live in Germany", &["contact_info::country=Germany"]),
        ("I live in the US.", &["contact_info::country=US"]),
        (
            "I live in Portland, Oregon, with my dog",
            &["contact_info::city=Portland"],
        ),
        ("I live in St. Louis now", &["contact_info::city=St. Louis"]),
        (
            "I live in Little Whinging with my aunt",
            &["contact_info::city=Little Whinging"],
        ),
        (
            "I've moved to Tromsø, a small town",
            &["contact_info::city=Tromsø"],
        ),
        (
            "I relocated to Kautokeino with my family",
            &["contact_info::city=Kautokeino"],
        ),
        ("I'm from Lisbon.", &["basic_info::hometown=Lisbon"]),
        (
            "I'm originally from Brazil but I live in Rome",
            &["basic_info::hometown=Brazil", "contact_info::city=Rome"],
        ),
        (
            "I grew up in Hogsworth",
            &["basic_info::hometown=Hogsworth"],
        ),
        (
            "My hometown is Hogsworth",
            &["basic_info::hometown=Hogsworth"],
        ),
        (
            "I live in Oslo and work as a nurse",
            &["contact_info::city=Oslo", "work::title=nurse"],
        ),
        ("I live in 杭州", &["contact_info::city=杭州"]),
        (
            "I have lived in Oslo since 2019",
            &["contact_info::city=Oslo"],
        ),
    ]);
}

#[test]
fn not_places() {
    fills_nothing(&[
        "I live in fear",
        "I LIVE IN FEAR",
        "I live in a small house",
        "I live in the moment",
        "I live in Anna's house",
        "I moved to Google",
        "I moved to Postgres from MySQL",
        "I moved to tears",
        "I moved to the couch",
        "I'm from HR",
        "I'm from Acme",
        "I lived in Oslo",
        "I might move to Oslo",
        "I'd live in Oslo",
        "I want to live in Oslo",
        "Should I move to Oslo",
        "I wish I lived in Oslo",
        "My brother lives in Oslo",
        "He moved to Oslo",
        "I will live in Oslo",
        "We live in a society",
        "The house I live in is old",
        "I am planning to move to Oslo",
        "I visited Oslo",
        "I live in Narnia",
        "I plan on living in Rome",
    ]);
}

#[test]
fn work_and_education() {
    check(&[
        (
            "I work at Google as a software engineer.",
            &["work::company=Google", "work::title=software engineer"],
        ),
        (
            "I work as a senior data scientist at Acme Corp",
            &[
                "work::title=senior data scientist",
                "work::company=Acme Corp",
            ],
        ),
        ("I'm a nurse.", &["work::title=nurse"]),
        (
            "I am an electrical engineer at Bank of America",
            &[
                "work::title=electrical engineer",
                "work::company=Bank of America",
            ],
        ),
        (
            "I'm the CEO of Acme",
            &["work::title=CEO", "work::company=Acme"],
        ),
        (
            "I'm a professor of history",
            &["work::title=professor of history"],
        ),
        (
            "I'm a marine biologist, and I love my job",
            &["work::title=marine biologist"],
        ),
        (
            "I'm working as a freelance photographer",
            &["work::title=freelance photographer"],
        ),
        ("I work in finance", &["work::working_industry=finance"]),
        ("I work for the BBC", &["work::company=BBC"]),
        (
            "I got a new job at Acme as a cook",
            &["work::company=Acme", "work::title=cook"],
        ),
        (
            "I started a new job as a Financial Analyst last week",
            &["work::title=Financial Analyst"],
        ),
        (
            "I started working at Acme last month",
            &["work::company=Acme"],
        ),
        (
            "I have been working at G for 5 years",
            &["work::company=G", "work::tenure=5 years"],
        ),
        (
            "I've been at Acme for two years now",
            &["work::company=Acme", "work::tenure=two years"],
        ),
        (
            "My job is software developer",
            &["work::title=software developer"],
        ),
        (
            "I'm a student at Leeds University",
            &["work::title=student", "education::school=Leeds University"],
        ),
        (
            "I studied law at Yale.",
            &["education::major=law", "education::school=Yale"],
        ),
        (
            "I'm studying computer science at MIT",
            &["education::major=computer science", "education::school=MIT"],
        ),
        (
            "I graduated from Oxford with a degree in physics",
            &["education::school=Oxford", "education::major=physics"],
        ),
        (
            "I have a PhD in molecular biology from MIT",
            &[
                "education::degree=PhD",
                "education::major=molecular biology",
                "education::school=MIT",
            ],
        ),
        (
            "I majored in art history",
            &["education::major=art history"],
        ),
    ]);
}

#[test]
fn not_work_and_education() {
    fills_nothing(&[
        "I'm a disaster",
        "I'm a monster",
        "I'm a fast driver",
        "I'm a terrible cook",
        "I'm a former teacher",
        "I'm an aspiring writer",
        "I'm a dog lover",
        "I'm a bit tired",
        "I'm a fan",
        "I'm a member",
        "I'm a morning person",
        "I work at home",
        "I work from home",
        "I work at night",
        "I work for myself",
        "I work as a team player",
        "My sister wants to be a nurse",
        "I was a nurse",
        "I want to be a nurse",
        "Am I a nurse",
        "He said I am a nurse",
        "I feel like a nurse",
        "I'm not a nurse",
        "I studied hard",
        "I study every day",
        "I work hard",
        "I work in Oslo",
        "I need a nurse",
        "I'm a nurse at heart",
        "If I were a nurse",
        "Imagine I'm a nurse",
        "I'm thinking I'm a nurse",
        "Pretend I'm a nurse",
        "You are a nurse",
        "I could work at Google",
        "I applied to work at Google",
        "I'm like a nurse",
        "Is it true I'm a nurse",
        "I went to school",
        "I'm an only child",
        "I'm the oldest of five",
        "I'm a father of two",
        "I'm a huge reader",
        "I'm a nurse in the school play",
        "I don't work at Google",
        "I left Google Maps open",
    ]);
}

#[test]
fn tastes() {
    check(&[
        ("I love hiking!", &["interest::likes=hiking"]),
        (
            "I really love the Beatles",
            &["interest::likes=the Beatles"],
        ),
        (
            "I like to hike in the mountains",
            &["interest::likes=hike in the mountains"],
        ),
        (
            "I enjoy walking in the rain too",
            &["interest::likes=walking in the rain"],
        ),
        (
            "I love hiking, old films, and jazz.",
            &["interest::likes=hiking; old films; jazz"],
        ),
        ("I love sushi and ramen", &["interest::likes=sushi; ramen"]),
        ("I love mac and cheese", &["interest::likes=mac and cheese"]),
        (
            "I love hiking and hate coriander",
            &["interest::likes=hiking", "interest::dislikes=coriander"],
        ),
        (
            "I love hiking but I hate running",
            &["interest::likes=hiking", "interest::dislikes=running"],
        ),
        (
            "I can't stand loud music",
            &["interest::dislikes=loud music"],
        ),
        (
            "I don't really like olives.",
            &["interest::dislikes=olives"],
        ),
        ("i dont like mondays", &["interest::dislikes=mondays"]),
        ("remember I prefer tabs", &["interest::likes=tabs"]),
        (
            "Please remember that I prefer tabs over spaces.",
            &["interest::likes=tabs over spaces"],
        ),
        ("I'm a big fan of the NBA", &["interest::likes=the NBA"]),
        (
            "I'm really into photography",
            &["interest::likes=photography"],
        ),
        (
            "I'm not a fan of horror movies",
            &["interest::dislikes=horror movies"],
        ),
        (
            "I'm allergic to peanuts and shellfish",
            &["health::allergies=peanuts; shellfish"],
        ),
        ("I have a severe nut allergy", &["health::allergies=nut"]),
        ("I'm vegan, so no cheese please", &["health::diet=vegan"]),
        ("I don't eat pork", &["health::dietary_restrictions=pork"]),
        ("My favourite food is ramen.", &["interest::foods=ramen"]),
        (
            "My favorite book is “The Hobbit”",
            &["interest::books=The Hobbit"],
        ),
        (
            "My favorite author is Ursula K. Le Guin.",
            &["interest::books=Ursula K. Le Guin"],
        ),
        (
            "I prefer dark mode and use VS Code",
            &["interest::likes=dark mode"],
        ),
        (
            "My favorite movie is Spirited Away",
            &["interest::movies=Spirited Away"],
        ),
        (
            "My favourite colour is blue",
            &["interest::favorite_color=blue"],
        ),
        (
            "My hobbies are chess, running and pottery",
            &["interest::hobbies=chess; running; pottery"],
        ),
        ("I love DNA research", &["interest::likes=DNA research"]),
        (
            "Suggest a recipe, I'm allergic to nuts",
            &["health::allergies=nuts"],
        ),
        (
            "I'm allergic to nuts, what can I cook?",
            &["health::allergies=nuts"],
        ),
        (
            "I'm allergic to most reptiles",
            &["health::allergies=reptiles"],
        ),
        ("I love Carnegie Hall", &["interest::likes=Carnegie Hall"]),
    ]);
}

#[test]
fn not_tastes() {
    fills_nothing(&[
        "I love you",
        "I love it",
        "I love that",
        "I like your answer",
        "I like how you think",
        "I like the idea",
        "I love my wife",
        "I'd love to hike",
        "I would like pizza",
        "Do I like pizza?",
        "do you like pizza",
        "I like pizza, right?",
        "I like pizza, do you think?",
        "I like pizza, don't I?",
        "If I like pizza, what then",
        "She loves pizza",
        "My sister loves hiking and hates fish",
        "My mom thinks I love pizza",
        "The man I love is tall",
        "I might like pizza",
        "Maybe I like pizza",
        "I used to love pizza",
        "I loved pizza as a kid",
        "I think I like pizza",
        "He said \"I love pizza\"",
        "\"I love pizza\" is a song",
        "> I love pizza",
        "`I love pizza`",
        "Write a poem: I love pizza",
        "Imagine I love pizza",
        "I hate to say this",
        "I hate when people lie",
        "I hate people who lie",
        "I'm not allergic to nuts",
        "I don't hate pizza",
        "People say I love pizza",
        "Translate: I love pizza",
        "Let's role-play: I love pizza",
        "I love pizza, just kidding!",
        "I feel like pizza",
        "I like both",
        "I don't mind pizza",
        "What I love is pizza",
        "I'm into it",
        "I like what I see",
        "We love pizza",
        "I wish I liked pizza",
        "I like to think so",
        "Everyone knows that cats like fish",
        "my boss told me I love meetings",
        "I love this so much",
        "I'm going to love pizza",
        "I like to know things",
        "I love the peace and love theme",
        "I love creating a safe, warm place",
        "I like my coffee black",
    ]);
}

#[test]
fn people_and_pets() {
    check(&[
        ("My wife is called Anna.", &["relations::wife=Anna"]),
        ("My husband's name is Tom", &["relations::husband=Tom"]),
        (
            "My sister Anna is a nurse.",
            &["relations::sister=Anna (nurse)"],
        ),
        ("My sister is a nurse", &["relations::sister=nurse"]),
        (
            "We planned my daughter Sara's birthday",
            &["relations::daughter=Sara"],
        ),
        (
            "I went hiking with my brother Tom",
            &["relations::brother=Tom"],
        ),
        ("My wife, Anna, is away", &["relations::wife=Anna"]),
        ("I have a daughter named Mia", &["relations::daughter=Mia"]),
        (
            "My best friend Zoe moved away",
            &["relations::best_friend=Zoe"],
        ),
        ("I have two kids", &["demographics::number_of_children=two"]),
        (
            "I've got 3 children.",
            &["demographics::number_of_children=3"],
        ),
        (
            "I'm married to Anna",
            &["demographics::marital_status=married"],
        ),
        (
            "I got divorced last year",
            &["demographics::marital_status=divorced"],
        ),
        ("I'm single", &["demographics::marital_status=single"]),
        ("I have a dog named Rex", &["life::pets=dog named Rex"]),
        ("I have two cats", &["life::pets=two cats"]),
        (
            "I adopted a small black kitten",
            &["life::pets=small black kitten"],
        ),
        (
            "I have a cat named Luna and a dog named Max.",
            &["life::pets=cat named Luna; dog named Max"],
        ),
        ("I went out with my dog Max", &["life::pets=Max (dog)"]),
        ("My dog is called Rex", &["life::pets=Rex (dog)"]),
    ]);
}

#[test]
fn not_people_and_pets() {
    fills_nothing(&[
        "I have a hot dog",
        "I have a friend",
        "My wife Monday told me",
        "My sister is tired",
        "I'm getting married in May",
        "I'm engaged in politics",
        "Her wife is called Anna",
        "I have two kids in my class",
        "I'd have two kids",
        "Do I have two kids?",
        "My friend's name is on the list",
        "I have two questions",
        "I want a dog",
        "I'm not married",
        "I'm married to my job",
        "I have an idea",
        "I have a cat allergy test tomorrow?",
        "If my wife is called Anna",
        "Is my sister Anna a nurse?",
    ]);
}
