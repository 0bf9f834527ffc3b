//! Tables of what is a secret and what is none.

use std::borrow::Cow;

use serde_json::json;

use super::{in_json, secrets};

/// Checks rows of (text, secret, kind): only the secret gives way.
fn check(rows: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, secret, kind)| {
            let want = replaced(text, secret, kind);
            let got = secrets(text);
            (got != want).then(|| format!("{text}\n  want {want}\n  got  {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The text with the last place of the secret replaced.
fn replaced(text: &str, secret: &str, kind: &str) -> String {
    let at = text
        .rfind(secret)
        .expect("the row names a part of its text");
    format!(
        "{}[redacted: {kind}]{}",
        &text[..at],
        &text[at + secret.len()..]
    )
}

/// Checks that every text is lent back as it is.
fn check_untouched(texts: &[&str]) {
    let wrong: Vec<String> = texts
        .iter()
        .filter_map(|text| match secrets(text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(got) => Some(format!("{text}\n  got {got}")),
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn keys_are_known_by_their_shape() {
    let jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    let rows = [
        ("sk-abcdefghijklmnopqrstuvwxyz123456", "api key"),
        ("sk-live-9f8e7d6c5b4a", "api key"),
        ("sk-proj-A1b2C3d4E5f6G7h8I9j0_K1l2-M3n4", "api key"),
        ("sk-ant-api03-Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2", "api key"),
        ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "api key"),
        ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "token"),
        ("gho_16C7e42F292c6912E7710c838347Ae178B4a", "token"),
        ("github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ", "token"),
        ("glpat-xY12zW34vU56tS78rQ90", "token"),
        ("xoxb-1234567890-abcdefghijkl", "token"),
        ("xoxp-1234567890-abcdefghijkl", "token"),
        ("AKIAIOSFODNN7EXAMPLE", "api key"),
        ("ASIAIOSFODNN7EXAMPLE", "api key"),
        ("AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "api key"),
        ("ya29.a0AfH6SMBx7-kQ3vLmZpR8", "token"),
        ("hf_aBcDeFgHiJkLmNoPqRsTuVwXyZabcdefgh", "token"),
        ("npm_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789", "token"),
        ("pypi-AgEIcHlwaS5vcmcCJDU2YzQ4", "token"),
        (
            "SG.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKc",
            "api key",
        ),
        (jwt, "token"),
    ];
    for (secret, kind) in rows {
        for (before, after) in [
            ("", ""),
            ("use ", " please"),
            ("它是", "，记住"),
            ("(", ")"),
            ("x=", "\n"),
            ("{\"a\":\"", "\"}"),
            ("", "."),
            ("first\\n", "\\nlast"),
        ] {
            // A run that goes on with `\n` written out is divided by its backslash.
            let text = format!("{before}{secret}{after}");
            let want = format!("{before}[redacted: {kind}]{after}");
            assert_eq!(secrets(&text), want, "{text}");
        }
    }
}

#[test]
fn private_keys_go_whole_and_torn_ones_as_far_as_they_reach() {
    let body = "MIIEpAIBAAKCAQEAx7Zk\nq3J2vXb8yQeR5tUwIOPa\nAbCd==\n";
    let whole = format!(
        "here:\n-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\nthanks"
    );
    assert_eq!(secrets(&whole), "here:\n[redacted: private key]\nthanks");
    let torn = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5v\nbmUAAAAEbm9uZQAAAAAAAAAB\nand so on";
    assert_eq!(secrets(torn), "[redacted: private key]\nand so on");
    let escaped = r#"{"k": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----\n"}"#;
    assert_eq!(secrets(escaped), r#"{"k": "[redacted: private key]\n"}"#);
    check_untouched(&[
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuT\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAw\n-----END PUBLIC KEY-----",
    ]);
}

#[test]
fn credentials_in_addresses_and_headers() {
    check(&[
        ("postgres://user:PASS@host/db", "PASS", "password"),
        (
            "postgresql://app:s3cr3t@db.example.com:5432/app?sslmode=require",
            "s3cr3t",
            "password",
        ),
        ("redis://:hunter2@localhost:6379/0", "hunter2", "password"),
        (
            "mongodb+srv://u:p@ss@cluster0.mongodb.net",
            "p@ss",
            "password",
        ),
        ("mysql://root:a/b#c@127.0.0.1:3306/x", "a/b#c", "password"),
        (
            "the url is https://bob:qwerty@example.com, right",
            "qwerty",
            "password",
        ),
        ("Authorization: Bearer abc.def-ghi", "abc.def-ghi", "token"),
        (
            "curl -H 'Authorization: Bearer 9f8e7d6c5b4a' https://x.io",
            "9f8e7d6c5b4a",
            "token",
        ),
        (
            "\"Authorization\": \"Basic dXNlcjpwYXNz\"",
            "dXNlcjpwYXNz",
            "token",
        ),
        ("bearer 0a1b2c3d4e5f6a7b", "0a1b2c3d4e5f6a7b", "token"),
    ]);
    check_untouched(&[
        "http://localhost:8080/users/@me",
        "https://example.com/a:b/c",
        "https://user@example.com/",
        "postgres://user:${DB_PASSWORD}@host/db",
        "postgres://user:<password>@host/db",
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${TOKEN}",
        "Authorization: required",
        "authorization is hard to get right",
        "the bearer of good news arrived",
        "git@github.com:owner/repo.git",
    ]);
}

#[test]
fn passwords_are_known_by_the_word_before() {
    check(&[
        ("remember my db password is P", "P", "password"),
        ("remember my db password is P and be quick", "P", "password"),
        ("My password is hunter2.", "hunter2", "password"),
        ("password: hunter2", "hunter2", "password"),
        ("Password : swordfish", "swordfish", "password"),
        ("pwd=abc123", "abc123", "password"),
        ("PGPASSWORD=hunter2 psql", "hunter2", "password"),
        ("DB_PASSWORD=hunter2", "hunter2", "password"),
        ("my wifi password was Sunshine99!", "Sunshine99", "password"),
        (
            "the password is now \"correct horse\"",
            "correct horse",
            "password",
        ),
        (
            "My Netflix password for the living room is hunter2",
            "hunter2",
            "password",
        ),
        (
            "password for bob@example.com: hunter2",
            "hunter2",
            "password",
        ),
        ("password (wifi): hunter2", "hunter2", "password"),
        (
            "I changed my password to tr0ub4dor",
            "tr0ub4dor",
            "password",
        ),
        ("I forgot my password, it is hunter2", "hunter2", "password"),
        ("password hunter2 works", "hunter2", "password"),
        (
            "passphrase is correct horse battery staple",
            "correct horse battery staple",
            "password",
        ),
        ("passphrase: opensesame", "opensesame", "password"),
        (
            "login with --password hunter2 --verbose",
            "hunter2",
            "password",
        ),
        ("{\"user\":\"bob\",\"password\":\"p w\"}", "p w", "password"),
        ("{\\\"password\\\": \\\"abc\\\"}", "abc", "password"),
        ("const password: string = \"abc\";", "abc", "password"),
        ("password = 'abc'  # test", "abc", "password"),
        ("config[\"password\"] = \"abc\"", "abc", "password"),
        ("<password>abc</password>", "abc", "password"),
        (
            "https://x.io/?user=bob&password=abc&next=1",
            "abc",
            "password",
        ),
        ("**Password**: `abc`", "abc", "password"),
        (
            "is it ok that my password is hunter2?",
            "hunter2",
            "password",
        ),
        ("my password is 123456", "123456", "password"),
        (
            "she said the password is swordfish and laughed",
            "swordfish",
            "password",
        ),
        ("the root password's hunter2", "hunter2", "password"),
        ("password -> hunter2", "hunter2", "password"),
        ("Password – hunter2", "hunter2", "password"),
        ("user: bob pass: hunter2", "hunter2", "password"),
        ("username/password: bob/hunter2", "bob/hunter2", "password"),
        (
            "the password for prod is Pr0d$ecret, keep it",
            "Pr0d$ecret",
            "password",
        ),
        ("my password is Пароль123", "Пароль123", "password"),
        (
            "My password is letmein and I live in Berlin",
            "letmein",
            "password",
        ),
        ("The passcode is 4471", "4471", "password"),
        ("Password: Password123", "Password123", "password"),
        (
            "host: db1, user: root, password: hunter2, port: 5432",
            "hunter2",
            "password",
        ),
        ("password: hunter2 is great-stuff", "hunter2", "password"),
    ]);
}

#[test]
fn keys_and_tokens_need_a_telling_word() {
    check(&[
        ("my api key is P", "P", "api key"),
        ("my api key is foobar", "foobar", "api key"),
        ("The API key is abc123def", "abc123def", "api key"),
        ("OPENAI_API_KEY=abcdef", "abcdef", "api key"),
        ("apiKey: 'abc-def'", "abc-def", "api key"),
        ("X-Api-Key: 5f4dcc3b5aa765d6", "5f4dcc3b5aa765d6", "api key"),
        ("secret = hunter2", "hunter2", "secret"),
        ("SECRET=swordfish", "swordfish", "secret"),
        ("client_secret: \"Zm9vYmFy\"", "Zm9vYmFy", "secret"),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "api key",
        ),
        ("access token: abc123", "abc123", "token"),
        (
            "token=550e8400-e29b-41d4-a716-446655440000",
            "550e8400-e29b-41d4-a716-446655440000",
            "token",
        ),
        (
            "key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
            "api key",
        ),
        ("token: 9f86d081884c7d65", "9f86d081884c7d65", "token"),
    ]);
    let text = "remember my db password is P and key sk-abcdef1234567890abcdef";
    let want = "remember my db password is [redacted: password] and key [redacted: api key]";
    assert_eq!(secrets(text), want);
}

#[test]
fn chinese_secrets() {
    check(&[
        ("我的密码是hunter2", "hunter2", "password"),
        ("数据库密码是 P，别忘了", "P", "password"),
        ("密码：abc123！", "abc123", "password"),
        ("密码: 芝麻开门", "芝麻开门", "password"),
        ("口令是芝麻开门", "芝麻开门", "password"),
        ("口令：天王盖地虎", "天王盖地虎", "password"),
        ("密码为“open”", "open", "password"),
        ("WiFi密码改成了sunny88", "sunny88", "password"),
        ("新密码hunter2", "hunter2", "password"),
        ("我的密码还是123456", "123456", "password"),
        ("密码（公司）：abc", "abc", "password"),
        ("我把密码改成abc了", "abc", "password"),
        ("用户名admin密码admin123", "admin123", "password"),
        ("账号：bob 密码：hunter2", "hunter2", "password"),
        ("密码 hunter2", "hunter2", "password"),
        ("密码是abc吗？", "abc", "password"),
        ("密钥是abcdefgh", "abcdefgh", "api key"),
        ("API密钥是abc-123", "abc-123", "api key"),
        ("密钥：A1B2C3D4", "A1B2C3D4", "api key"),
        ("我的password是hunter2，记住", "hunter2", "password"),
        ("api key：abc123def", "abc123def", "api key"),
        ("卡号4111111111111111。", "4111111111111111", "card number"),
    ]);
    check_untouched(&[
        "密码是什么",
        "密码是什么？",
        "密码忘了",
        "我的密码忘记了",
        "密码是多少来着",
        "密码是必填的",
        "密码是错的",
        "密码是我的生日",
        "密码是8位数字",
        "密码是MD5加密的",
        "密码是用户自己设置的，系统不保存",
        "请输入密码：",
        "密码：必填",
        "密码学是一门有趣的课",
        "密码锁坏了",
        "密钥是成功的关键",
        "口令红包",
        "忘记密码怎么办？",
        "我叫李明，住在上海，电话13812345678",
        "身份证号码不要告诉别人",
        "密码保护：打开",
        "密码强度：弱",
        "密码长度：8",
        "密码输入错误，请重试",
        "你的密码是不是hunter2",
        "你知道密码是啥吗",
        "密码应该是正确的",
        "密码是电话号码",
        "密码是名字加生日",
        "密码是妈妈的名字",
        "密码是英文",
        "密码在抽屉里",
        "密码就在纸上",
        "家里WiFi密码我忘了",
        "密码为空",
        "密码为必填项",
        "密码：不能为空",
        "密码：至少8位",
        "密码：******",
        "他的密码是猫的名字",
        "密码由系统生成",
        "密码是系统生成的",
        "令牌已过期",
        "令牌是有效的",
        "密钥是公开的",
        "成功的密钥是坚持",
        "每日口令是一种活动",
        "口令是进入房间的方法",
        "密码是安全的",
        "密码是一样的",
        "密码是通用的",
    ]);
}

#[test]
fn card_numbers() {
    check(&[
        (
            "my card is 4111111111111111",
            "4111111111111111",
            "card number",
        ),
        (
            "4111 1111 1111 1111 exp 12/27",
            "4111 1111 1111 1111",
            "card number",
        ),
        (
            "card 5500-0000-0000-0004, thanks",
            "5500-0000-0000-0004",
            "card number",
        ),
        ("amex 3782 822463 10005", "3782 822463 10005", "card number"),
        ("diners 3056 930902 5904", "3056 930902 5904", "card number"),
        (
            "pay 2 4111 1111 1111 1111",
            "4111 1111 1111 1111",
            "card number",
        ),
        ("4222222222222", "4222222222222", "card number"),
        (
            "{\"card\":\"6011111111111117\"}",
            "6011111111111117",
            "card number",
        ),
    ]);
    check_untouched(&[
        "4111111111111112",
        "order A4111111111111111",
        "id_4111111111111111",
        "4111 1111 11111111",
        "41111111111111110000000",
        "1-4111-1111-1111-1111",
        "0.4111111111111111",
        "$4111111111111111",
        "+86 138 1234 5678",
        "+1 (555) 123-4567, 010-62345678",
        "1700000000000000 microseconds",
        "978-3-16-148410-0",
        "2024-05-01 12:30:00",
    ]);
}

#[test]
fn sentences_about_secrets_stay() {
    check_untouched(&[
        "password is required",
        "Password is too short",
        "the password is in the vault",
        "what is my password?",
        "What's my password",
        "What password is best?",
        "which password is stronger",
        "do you remember what my password is?",
        "The password is stored encrypted on disk.",
        "your password is expired, please reset it",
        "password is longer than before",
        "the password is 8 characters long",
        "Password: required",
        "Password must be 8-16 characters",
        "password: 8-16 characters",
        "passwords are hard to remember",
        "I use a password manager",
        "the password for the router is on the fridge",
        "reset the password to continue",
        "I changed my password to something longer",
        "My dog's name is not a password.",
        "password: ********",
        "password: <your password>",
        "the password is hashed with sha256",
        "password is SHA256",
        "passphrase is needed every single time",
        "an api key is required",
        "your API key is invalid",
        "the api key is free",
        "API key: see the dashboard",
        "api_key=YOUR_API_KEY",
        "the secret is to add butter",
        "the secret is patience",
        "secret: never give up",
        "Secret Santa is on Friday",
        "the key is under the mat",
        "the key is consistency",
        "key: value",
        "max_tokens: 4096",
        "the token is expired",
        "a token of my love",
        "monkey: 1234567890abcdef1234",
        "pass=12 fail=3",
        "boarding pass: AB1234",
        "the password's length is 12",
        "password - must have 8 characters",
        "they pass 2 tests",
        "let secret = 42;",
        "let me know when the token of appreciation arrives",
        "The secret is: we met in 2012",
        "secret: 42",
        "Her secret ingredient is cumin",
        "the secret code is on page 12b45678",
        "My password is really long and has symbols",
        "my password was leaked in the 2019 breach",
        "password is what?",
        "my password has 12 characters",
        "The password needs 2 numbers",
        "Password policy: minimum 12 characters",
        "password strength: weak",
        "Password reset link: https://x.io/reset/abc123def456",
        "my gym locker code is 4321",
        "The key to success is persistence2024",
        "key insight: GPT4o is faster",
        "API key management is a pain",
        "I need an API key for OpenAI",
        "API key: required",
        "API key for OpenAI is needed",
        "api key is in .env",
        "the api key is stored in AWS",
        "The API key is from OpenAI",
        "access key is Left",
        "The access token is JWT",
        "access token: expires in 3600s",
        "refresh token: used to renew",
        "token: abc",
        "Token count: 1024",
        "token limit is 128k",
        "the token is 32bytes long",
        "token type is ERC20",
        "token symbol: USDT2024",
        "private key is never shared",
        "client secret is rotated monthly",
        "app secret: see vault",
        "Master key is at reception",
        "our API key is expired",
        "My api key is broken",
        "my access key is missing",
        "pwd is /home/x",
        "My password is not hunter2",
        "my password isn't hunter2",
        "Wi-Fi password on the back of the router: check there",
        "the password for my email is the same as before",
        "password for the wifi at the cafe is written on the wall",
        "password field: add a label",
        "Password:",
        "password: ",
        "password:;",
        "password: \"\",",
        "password: &'a str,",
        "Authorization: Bearer YOUR_API_KEY",
        "apiKey: process.env.OPENAI_API_KEY,",
        "keys: 1234567890abcdef1234",
        "Sort key: created_at",
    ]);
}

#[test]
fn ordinary_text_and_code_stay() {
    check_untouched(&[
        "",
        "my bank account",
        "My name is Alice Keyes and I live in Tokenham.",
        "sk-8 skateboard",
        "task-based sk-learn-something-very-long",
        "I bought it for $1,299.99 on 2024-05-01",
        "550e8400-e29b-41d4-a716-446655440000",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "let token = lexer.next_token();",
        "password = os.environ[\"DB_PASSWORD\"]",
        "password=config.password",
        "const password = req.body.password;",
        "connect(user=user, password=password)",
        "password: String,",
        "def login(user: str, password: str) -> bool:",
        "if password == expected:",
        "password = input('Password: ')",
        "password = getpass.getpass()",
        "secret = load_secret(path)",
        "let key = map.keys().next();",
        "<li key={item.id}>",
        "key=\"item-1\"",
        "token = tokens[0]",
        "\"password\": null",
        "PASSWORD=${PASSWORD}",
        "PASSWORD=$DB_PASSWORD",
        "pwd=/home/bob/src",
        "primary key: 9f86d081884c7d659a2feaa0c55ad015",
        "bcrypt::hash(password, DEFAULT_COST)",
        "password::verify(input)",
        "msg.SG.example",
        "hf_transfer_enabled and npm_config_registry",
        "我在银行有一个账户，今天天气很好。",
        "[redacted: password] and [redacted: card number]",
        "password: [redacted: password]",
        "access_token: str",
        "password=",
        "password: {type: String}",
        "password: { type: \"string\" }",
        "password: z.string().min(8)",
        "password: Option<String>,",
        "password varchar(255) NOT NULL",
        "password TEXT NOT NULL",
        "api_key: Optional[str] = None",
        "api_key = os.getenv(\"API_KEY\")",
        "token = request.headers.get('Authorization')",
        "token = jwt.encode(payload, SECRET_KEY)",
        "const token = await getToken();",
        "const secret = crypto.randomBytes(32).toString('hex');",
        "SECRET_KEY = env(\"SECRET_KEY\")",
        "secret_key = settings.SECRET_KEY",
        "headers = {\"Authorization\": f\"Bearer {token}\"}",
        "headers: { Authorization: `Bearer ${token}` }",
        "password = user.password",
        "user.password = password",
        "this.password = password;",
        "self.api_key = api_key",
        "if (password === confirmPassword)",
        "if password != other:",
        "key: string",
        "map[key] = value1",
    ]);
}

#[test]
fn bodies_are_cleaned_in_their_values() {
    let mut body = json!({
        "messages": [
            {"role": "user", "content": "my password is hunter2 and 4111 1111 1111 1111"},
            {"role": "assistant", "content": "noted"}
        ],
        "password is hunter2": 1,
        "login": {"password": "P", "user": "bob", "password_hint": "dog"},
        "api_key": "abcdef",
        "token": "string",
        "n": null
    });
    assert_eq!(in_json(&mut body), 4);
    let want = json!({
        "messages": [
            {"role": "user", "content": "my password is [redacted: password] and [redacted: card number]"},
            {"role": "assistant", "content": "noted"}
        ],
        "password is hunter2": 1,
        "login": {"password": "[redacted: password]", "user": "bob", "password_hint": "dog"},
        "api_key": "[redacted: api key]",
        "token": "string",
        "n": null
    });
    assert_eq!(body, want);
    assert_eq!(in_json(&mut body), 0);
    assert_eq!(body, want);
}

#[test]
fn bodies_may_be_deep() {
    let mut body = json!("password: P");
    for _ in 0..1_000 {
        body = json!([body]);
    }
    assert_eq!(in_json(&mut body), 1);
}
