//! Places: which words name one. All in lower case.

/// Countries, with the short forms that people use.
#[rustfmt::skip]
const COUNTRIES: &[&str] = &[
    "argentina", "australia", "austria", "bangladesh", "belgium", "bolivia", "brazil", "britain",
    "bulgaria", "cambodia", "cameroon", "canada", "chile", "china", "colombia", "costa rica",
    "croatia", "cuba", "cyprus", "czech republic", "czechia", "denmark", "ecuador", "egypt",
    "england", "estonia", "ethiopia", "finland", "france", "germany", "ghana", "great britain",
    "greece", "guatemala", "hungary", "iceland", "india", "indonesia", "iran", "iraq", "ireland",
    "israel", "italy", "jamaica", "japan", "kazakhstan", "kenya", "kuwait", "latvia", "lebanon",
    "lithuania", "luxembourg", "malaysia", "malta", "mexico", "mongolia", "morocco", "myanmar",
    "nepal", "netherlands", "new zealand", "nigeria", "norway", "pakistan", "panama", "paraguay",
    "peru", "philippines", "poland", "portugal", "qatar", "romania", "russia", "rwanda",
    "saudi arabia", "scotland", "senegal", "serbia", "slovakia", "slovenia", "south africa",
    "south korea", "korea", "spain", "sri lanka", "sweden", "switzerland", "syria", "taiwan",
    "tanzania", "thailand", "tunisia", "turkey", "uae", "uganda", "uk", "u.k", "ukraine",
    "united arab emirates", "united kingdom", "united states", "uruguay", "us", "u.s", "usa",
    "u.s.a", "uzbekistan", "venezuela", "vietnam", "wales", "zambia", "zimbabwe",
];

/// Cities, states and islands that are known well enough to be told from people and firms without a further word.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "aberdeen", "abu dhabi", "accra", "adelaide", "alabama", "alaska", "albuquerque", "algiers",
    "amsterdam", "ankara", "antwerp", "arizona", "arkansas", "athens", "atlanta", "auckland",
    "austin", "baltimore", "bangalore", "bangkok", "barcelona", "basel", "bavaria", "beijing",
    "beirut", "belfast", "belgrade", "bergen", "berkeley", "berlin", "bern", "birmingham", "bogota",
    "bogotá", "bologna", "bonn", "bordeaux", "boston", "boulder", "bratislava", "bremen",
    "brisbane", "bristol", "brooklyn", "brussels", "bucharest", "budapest", "buenos aires", "busan",
    "cairo", "calgary", "california", "cambridge", "canberra", "cape town", "cardiff", "casablanca",
    "catalonia", "changsha", "charlotte", "chengdu", "chennai", "chicago", "chongqing",
    "cincinnati", "cleveland", "cologne", "colorado", "columbus", "connecticut", "copenhagen",
    "cork", "dalian", "dallas", "delhi", "denver", "detroit", "dhaka", "doha", "dortmund",
    "dresden", "dubai", "dublin", "durban", "dusseldorf", "düsseldorf", "edinburgh", "edmonton",
    "eindhoven", "florence", "florida", "frankfurt", "fukuoka", "geneva", "genoa", "ghent",
    "glasgow", "gothenburg", "granada", "graz", "guangzhou", "hamburg", "hangzhou", "hanoi",
    "hanover", "harbin", "havana", "hawaii", "helsinki", "ho chi minh city", "hong kong",
    "honolulu", "houston", "hyderabad", "idaho", "illinois", "indiana", "indianapolis", "iowa",
    "istanbul", "izmir", "jakarta", "jerusalem", "jinan", "johannesburg", "kansas", "kansas city",
    "karachi", "kathmandu", "kentucky", "kiev", "krakow", "kraków", "kuala lumpur", "kunming",
    "kyiv", "kyoto", "la", "lagos", "lahore", "las vegas", "lausanne", "leeds", "leipzig", "liege",
    "lille", "lima", "linz", "lisbon", "liverpool", "ljubljana", "london", "los angeles",
    "louisiana", "louisville", "lyon", "madrid", "maine", "malaga", "málaga", "malmö", "manchester",
    "manhattan", "manila", "marrakech", "marseille", "maryland", "massachusetts", "medellin",
    "medellín", "melbourne", "memphis", "mexico city", "miami", "michigan", "milan", "milwaukee",
    "minneapolis", "minnesota", "minsk", "mississippi", "missouri", "montana", "monterrey",
    "montevideo", "montreal", "moscow", "mumbai", "munich", "nagoya", "nairobi", "nanjing",
    "nantes", "naples", "nashville", "nebraska", "nevada", "new delhi", "new hampshire",
    "new jersey", "new mexico", "new orleans", "new york", "new york city", "newcastle", "nice",
    "ningbo", "north carolina", "north dakota", "nottingham", "nuremberg", "nyc", "oakland",
    "odessa", "ohio", "oklahoma", "ontario", "oregon", "orlando", "osaka", "oslo", "ottawa",
    "oxford", "paris", "penang", "pennsylvania", "perth", "philadelphia", "philly", "phoenix",
    "pittsburgh", "portland", "porto", "prague", "pretoria", "pune", "qingdao", "quebec", "quito",
    "reykjavik", "rhode island", "riga", "rio", "rio de janeiro", "riyadh", "rome", "rotterdam",
    "sacramento", "salt lake city", "salzburg", "san antonio", "san diego", "san francisco",
    "san jose", "santiago", "sao paulo", "são paulo", "sapporo", "sarajevo", "scottsdale",
    "seattle", "seoul", "seville", "sf", "shanghai", "sheffield", "shenyang", "shenzhen", "sicily",
    "singapore", "sofia", "south carolina", "south dakota", "st. louis", "st. petersburg",
    "stavanger", "stockholm", "strasbourg", "stuttgart", "suzhou", "sydney", "taipei", "tallinn",
    "tampa", "tasmania", "tehran", "tel aviv", "tennessee", "texas", "the bay area", "the hague",
    "tianjin", "tokyo", "toronto", "toulouse", "tromsø", "trondheim", "tucson", "tulsa", "turin",
    "tuscany", "utah", "utrecht", "valencia", "vancouver", "venice", "vermont", "vienna", "vilnius",
    "virginia", "warsaw", "washington", "washington dc", "wellington", "west virginia", "wisconsin",
    "wroclaw", "wuhan", "wyoming", "xiamen", "xian", "xi'an", "yokohama", "zagreb", "zhengzhou",
    "zurich", "zürich",
];

/// Words around a name that show it to be a place.
#[rustfmt::skip]
pub(super) const PLACE_CUES: &[&str] = &[
    "city", "town", "village", "apartment", "flat", "house", "lived", "living", "live",
    "neighborhood", "neighbourhood", "born", "raised", "grew", "country", "abroad", "relocated",
    "county", "suburb", "originally", "family", "roommate",
];

/// Capitalised words that can follow "in", "to" or "from" and are no places.
#[rustfmt::skip]
pub(super) const NOT_PLACES: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "christmas", "easter", "summer", "winter", "spring", "autumn", "fall",
    "mom", "mum", "dad", "grandma", "god", "jesus", "christ", "hell", "heaven", "fear", "hr", "it",
    "i", "marketing", "sales", "engineering", "python", "java", "rust", "linux", "windows", "mac",
    "macos", "vim", "emacs", "vscode", "postgres", "postgresql", "mysql", "react", "go", "kotlin",
    "typescript", "javascript", "aws", "azure", "gcp", "kubernetes", "docker", "google",
    "microsoft", "apple", "amazon", "meta", "facebook", "netflix", "ios", "android", "iphone",
    "excel", "slack", "notion", "obsidian", "chrome", "firefox", "spotify", "twitter", "discord",
    "reddit", "minecraft", "narnia", "hogwarts",
];

/// What a name of a place names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Country,
    Place,
    No,
}

/// Looks a name up, lower case.
pub(super) fn look_up(name: &str) -> Known {
    let bare = name.strip_prefix("the ").unwrap_or(name);
    if COUNTRIES.contains(&bare) {
        Known::Country
    } else if PLACES.contains(&bare) || PLACES.contains(&name) {
        Known::Place
    } else {
        Known::No
    }
}
