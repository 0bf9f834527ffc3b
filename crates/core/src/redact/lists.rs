//! The words that decide whether what follows "password is" is a password.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::chars;

/// Words that go on talking about a secret instead of naming it: articles and pronouns, then prepositions and
/// adverbs, then verbs, then states.
const PROSE: &str = "\
    a all an another any anything both each either every everything he her his i it its itself many mine more most \
    my myself neither no nobody none nothing one our ours same she some something such that that's the their them \
    there these they this those us we what whatever when where whether which who whose why you your yours how \
    someone somewhere \
    about above after again all-lowercase almost also always and as at away back because before behind below \
    between beyond but by down due even exactly far for from here if in indeed inside instead just less like maybe \
    much near never not now of off often on once only onto or out outside over perhaps per quite rather since so \
    sometimes somehow soon still than then through thus to today together tomorrow too under until up very via \
    well with within without yes yet \
    am are be been being can can't cannot comes could did do does doesn't going had has have having is isn't let \
    made may might must needs said set should was wasn't were will won't would kept known lost gone given written \
    stolen shown hidden broken forgotten sent held built reset found taken bound seen left put cut use see enter \
    type choose pick please check ask look call contact \
    absent active alphanumeric available back bad better best blank case case-sensitive clear complex confidential \
    correct critical crucial dangerous dead default different difficult easier easy empty enough essential exposed \
    false fine free fresh good great guessable hard harder harmless identical important impossible inactive \
    incorrect insecure intact invalid key least live local long longer mandatory memorable missing necessary new \
    numeric obsolete obvious ok okay old older optional personal plain plaintext pointless poor present private \
    public random ready real right risky safe safer secure sensitive shared short shorter shut similar simple \
    stale strong stronger sure temporary terrible true unchanged unclear unique unknown unsafe useless valid \
    visible vital weak weaker worse wrong";

/// Values that stand for a value: types, empty values, words of program text.
const CODE: &str = "\
    any array async await bool boolean byte bytes char const def enum env false final fn func function input int \
    integer let nil none null number nullptr object option optional required return secretstr self some str string \
    struct text textfield this true undefined varchar void n/a na tbd todo yield new list dict union vec";

/// Names of techniques that mix letters and digits as passwords do.
const TECHNIQUES: &str = "\
    1password aes128 aes256 argon2 argon2i argon2id base32 base58 base64 bip39 hs256 http2 keepass2 md5 oauth1 \
    oauth2 pbkdf2 pkcs12 rs256 sha1 sha256 sha384 sha512 sha-1 sha-256 sha-512 utf8 utf-8 web3 x509 2fa mfa bcrypt \
    scrypt jwt json uuid oauth ascii";

/// Objects whose fields program text reads instead of naming the secret.
const HOLDERS: &str = "\
    app args body cfg conf config context credentials creds ctx data db env event form input local module node opt \
    options opts os params process props req request res response secrets self session settings state std sys \
    system this user values var vars vault";

/// Words that call a secret by its class.
const NAMES: &str = "\
    key passphrase passwd password pwd secret token pass";

/// Units that make the number before them a length or a count.
const UNITS: &str = "\
    bit bits byte bytes char chars character characters day days digit digits hour hours letter letters minute \
    minutes month months number numbers or symbol symbols times to week weeks word words year years";

/// Words after an adjective: "similar to", "longer than".
const CONTINUATIONS: &str = "\
    because by enough of than that to";

/// What opens a question in which a plain word is no password.
const INTERROGATIVES: &str = "\
    are how is was what what's where which who whose why";

/// The two lists that are long enough to be worth a table.
static PROSE_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| PROSE.split(' ').collect());
static TECHNICAL_SET: LazyLock<HashSet<&str>> =
    LazyLock::new(|| CODE.split(' ').chain(TECHNIQUES.split(' ')).collect());

/// Longest word of a list, bytes.
const WORD_BYTES_MAX: usize = 16;

fn holds(list: &str, word: &str) -> bool {
    (1..=WORD_BYTES_MAX).contains(&word.len())
        && list
            .split(' ')
            .any(|entry| entry.eq_ignore_ascii_case(word))
}

fn holds_set(set: &HashSet<&str>, word: &str) -> bool {
    word.len() <= WORD_BYTES_MAX && set.contains(word.to_ascii_lowercase().as_str())
}

/// Whether the word goes on talking about the secret.
pub(super) fn is_prose(word: &str) -> bool {
    holds_set(&PROSE_SET, word)
}

/// Whether the word is a type or an empty value of program text, or a technique.
pub(super) fn is_technical(word: &str) -> bool {
    holds_set(&TECHNICAL_SET, word)
}

/// Whether the word before a point holds settings.
pub(super) fn is_holder(word: &str) -> bool {
    holds(HOLDERS, word)
}

/// Whether the word makes the number before it a length.
pub(super) fn is_unit(word: &str) -> bool {
    holds(UNITS, word)
}

/// Whether the word shows that the one before was an adjective.
pub(super) fn is_continuation(word: &str) -> bool {
    holds(CONTINUATIONS, word)
}

/// Whether the word opens a question.
pub(super) fn is_interrogative(word: &str) -> bool {
    holds(INTERROGATIVES, word)
}

/// Whether a plain word has the ending of a participle or an adverb: "encrypted", "expiring", "usually".
pub(super) fn is_participle(word: &str) -> bool {
    let ends = |end: &str, min: usize| word.len() >= min && word.ends_with(end);
    ends("ed", 5)
        || ["ing", "ly", "able", "ible"]
            .into_iter()
            .any(|end| ends(end, 6))
}

/// Whether an identifier ends in the class of the secret, as `db_password`, `apiKey` and `TOKEN` do.
pub(super) fn names_secret(word: &str) -> bool {
    if !word
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'-')
    {
        return false;
    }
    NAMES.split(' ').any(|name| {
        let Some(at) = word.len().checked_sub(name.len()) else {
            return false;
        };
        let (Some(head), Some(tail)) = (word.get(..at), word.get(at..)) else {
            return false;
        };
        let camel = tail.starts_with(|c: char| c.is_ascii_uppercase())
            && head.ends_with(|c: char| c.is_ascii_lowercase());
        tail.eq_ignore_ascii_case(name) && (head.is_empty() || head.ends_with(['_', '-']) || camel)
    })
}

/// Whether a text stands in for a secret: stars, `<your key>`, `${KEY}`, `YOUR_TOKEN`, an earlier marker.
pub(super) fn is_placeholder(text: &str) -> bool {
    let only = |c: char| text.chars().all(|other| other == c);
    let holes = ["${", "{{", "<", "$(", "%(", "%{", "#{", "[redacted", "{"];
    let yours = [
        "your", "your-", "your_", "my_", "my-", "insert_", "replace_", "example_",
    ];
    let variable = text.strip_prefix(['$', '%', '&']).is_some_and(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || b"_%".contains(&byte))
    });
    !text.chars().any(char::is_alphanumeric)
        || ((only('x') || only('X')) && text.len() >= 3)
        || holes.into_iter().any(|hole| text.starts_with(hole))
        || variable
        || (yours
            .into_iter()
            .any(|your| chars::strip_ascii_prefix(text, your).is_some())
            && names_secret(&text.replace([' ', '.'], "_")))
}
