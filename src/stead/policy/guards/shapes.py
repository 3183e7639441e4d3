"""The shapes of secrets, as data. What a service gives out has a prefix of its own; the rest needs a word beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stead.policy.guards.checks import is_card, is_strong


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret."""

    kind: str
    """What the marker says."""
    cues: tuple[str, ...]
    """Lower case; a text without any of them is not searched."""
    pattern: str
    """The group ``secret`` is what is replaced; without one, the whole match."""
    check: Callable[[str], bool] | None = None


def _tokens(kind: str, body: str, *cues: str, check: Callable[[str], bool] | None = None) -> Shape:
    return Shape(kind, cues, rf"(?<![A-Za-z0-9])(?:{body})", check)


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


TOKENS: tuple[Shape, ...] = (
    Shape(
        "private_key",
        ("private key", "private-lines"),
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*+"
        r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?|Private-Lines: \d+\s+[A-Za-z0-9+/=\s]{40,}",
    ),
    _tokens("github_token", r"gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_[A-Za-z0-9_]{16,255}",
            "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    _tokens("aws_access_key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])", "akia", "asia", "abia", "acca"),
    Shape("aws_secret_key", ("secret",),
          r"(?i:aws[^\n]{0,20}?secret|secret[_ -]?access[_ -]?key)[^\n]{0,30}?(?<![A-Za-z0-9/+=])"
          r"(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])", _has_digit),
    _tokens("google_key", r"AIza[0-9A-Za-z_-]{30,45}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}", "aiza", "ya29.", "gocspx-"),
    _tokens("slack_token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}", "xox", "xapp-"),
    Shape("webhook_url", ("hooks.slack.com", "/api/webhooks/"),
          r"hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/_+-]{20,})"),
    Shape("webhook_url", ("/api/webhooks/",), r"/api/webhooks/\d{5,25}/(?P<secret>[\w-]{20,})"),
    _tokens("stripe_key", r"[sr]k_(?:live|test)_[0-9A-Za-z]{10,}|whsec_[0-9A-Za-z+/=]{16,}", "k_live_", "k_test_", "whsec_"),
    _tokens("anthropic_key", r"sk-ant-[\w-]{16,}", "sk-ant-"),
    _tokens("openai_key", r"sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}", "sk-", check=_has_digit),
    _tokens("huggingface_token", r"hf_[A-Za-z0-9]{20,}", "hf_"),
    _tokens("gitlab_token", r"gl(?:pat|dt|rt|cbt|ptt|soat|ft)-[\w-]{16,}",
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-", "glft-"),
    _tokens("npm_token", r"npm_[A-Za-z0-9]{20,}", "npm_"),
    _tokens("pypi_token", r"pypi-[\w-]{30,}", "pypi-", check=_has_digit),
    _tokens("twilio_key", r"SK[0-9a-fA-F]{32}(?![A-Za-z0-9])", "sk"),
    _tokens("sendgrid_key", r"SG\.[\w-]{16,}\.[\w-]{16,}", "sg."),
    _tokens("mailgun_key", r"key-[0-9a-f]{32}(?![A-Za-z0-9])", "key-"),
    Shape("azure_key", ("accountkey=", "sharedaccesskey=", "sig="),
          r"(?i:AccountKey=|SharedAccessKey=|[?&]sig=)(?P<secret>[A-Za-z0-9+/%=_-]{20,})"),
    _tokens("azure_secret", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,40}", "q~"),
    _tokens(
        "service_token",
        r"(?:do[opr]_v1_|shp(?:at|ca|pa|ss)_|dapi|lin_api_|ntn_|figd_|glsa_|glc_|hvs\.|dp\.(?:pt|st)\.|PMAK-|NRAK-"
        r"|r8_|gsk_|pplx-"
        r"|xai-|tvly-|sq0(?:atp|csp)-|dckr_pat_|AGE-SECRET-KEY-|HRKU-|sntrys_|rubygems_|EAAC|ATATT3x"
        r"|ATCTT3x)[A-Za-z0-9_=-]{16,}",
        "_v1_", "shpat_", "shpca_", "shppa_", "shpss_", "dapi", "lin_api_", "ntn_", "figd_", "glsa_", "glc_", "hvs.", "dp.pt.",
        "dp.st.", "pmak-", "nrak-", "r8_", "gsk_", "pplx-", "xai-", "tvly-", "sq0", "dckr_pat_", "age-secret-key-", "hrku-",
        "sntrys_", "rubygems_", "eaac", "atatt3x", "atctt3x",
        check=_has_digit,
    ),
    _tokens("telegram_token", r"\d{8,10}:AA[\w-]{30,35}(?![\w-])", ":aa"),
    Shape("jwt", ("eyj",), r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
    Shape("url_password", ("://",),
          r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/@:'\"<>]{0,100}:(?P<secret>[^\s/'\"<>]{1,200})@"
          r"(?=[\w\[{$])"),
    Shape("bearer_token", ("bearer", "authorization", "x-api-key"),
          r"(?i:\bbearer[\s:]{1,3}|\bauthorization['\"]?\s{0,3}[:=]\s{0,3}['\"]?(?:basic|token|bearer|apikey"
          r"|digest)\s{1,3}"
          r"|\bx-api-key['\"]?\s{0,3}[:=]\s{0,3}['\"]?)(?P<secret>[\w.~+/=-]{8,})", is_strong),
    Shape("wifi_password", ("wifi:",), r"(?i:WIFI:)[^\n]{0,100}?;?P:(?P<secret>[^;\n]{4,64})"),
    Shape("session_cookie", ("sess", "sid=", "csrf", "cookie"),
          r"(?i:(?:session|sess|sid|sessionid|phpsessid|jsessionid|csrftoken"
          r"|connect\.sid)=)(?P<secret>[\w%.~+/=-]{12,})", is_strong),
    Shape("password", (" -u", "--password", "--pass", "sshpass"),
          r"(?:(?<=\s)-u\s{1,2}['\"]?[^\s:'\"]{1,64}:|--pass(?:word)?[ =]['\"]?"
          r"|\bsshpass\s{1,2}-p\s{0,2}['\"]?)(?P<secret>[^\s'\"]{3,})"),
    Shape("card_number", (),
          r"(?<![\w.+-])(?P<secret>\d(?:[ -]?\d){11,18})(?![\w])(?!-\d)", is_card),
)  # fmt: skip
"""Found by their shape alone."""

LOGIN_WORDS = (
    r"pass[ _-]?words?|pass[ _-]?codes?|passwd|pwd|\bpw\b|pass[ _-]?wort|passworter|passw\b|kenn?wort|contrasenas?"
    r"|palabra clave|clave de acceso|mot de passe|wachtwoord|\bsenha\b|zugangscode|codigo de acceso"
)
PHRASE_WORDS = r"pass[ _-]?phrases?|frase de contrasena|passphrase"
KEY_WORDS = (
    r"api[ _-]?keys?|apikey|api[ _-]?tokens?|api[ _-]?secrets?|secret[ _-]?(?:access[ _-]?)?keys?|access[ _-]?keys?"
    r"|private[ _-]?keys?"
    r"|client[ _-]?secrets?|consumer[ _-]?secrets?|app[ _-]?secrets?|auth(?:entication|orization)?[ _-]?(?:token|key)s?"
    r"|access[ _-]?tokens?|refresh[ _-]?tokens?|session[ _-]?(?:token|key)s?|deploy[ _-]?(?:token|key)s?"
    r"|bearer[ _-]?tokens?"
    r"|personal[ _-]?access[ _-]?tokens?|signing[ _-]?(?:key|secret)s?|webhook[ _-]?secrets?|encryption[ _-]?keys?"
    r"|license[ _-]?keys?"
    r"|account[ _-]?keys?|storage[ _-]?keys?|master[ _-]?keys?|tokens?|secrets?|credentials?|creds|cle api|clave api"
    r"|clave secreta"
    r"|api[ _-]?schlussel|geheimnis|zugangsdaten|schlussel"
)
"""Words that also stand in ordinary sentences: what follows them must not look like a word."""

ORDINARY = frozenset(
    "a an the my your his her its our their this that these those it he she they we you i me no not none null nil "
    "true false yes in on at by "
    "for from to of with under over inside behind via and or but so if when where what which who why how as than then "
    "too very quite rather "
    "same safe saved stored kept secret private secure strong weak long short simple complex easy hard wrong right "
    "correct incorrect "
    "invalid valid fine good bad great terrible important different identical similar unique new old empty blank "
    "missing unknown lost gone "
    "case required optional needed necessary mandatory something anything nothing somewhere everything never always "
    "still just only now also "
    "already currently usually sometimes really actually probably maybe visible hidden known there here about due up "
    "out off down back "
    "string text value field min max minimum maximum at least exactly case-sensitive alphanumeric string; str int "
    "bool undefined "
    "see ask tbd todo n/a na unset default hers mine yours ours theirs being been going getting used useful ok okay "
    "lame dumb stupid "
    "el la los las un una mi tu su demasiado muy segura seguro larga corta igual der die das ein eine mein meine dein "
    "deine zu sehr sicher "
    "unsicher lang kurz falsch richtig nicht kein keine im am auf unter le les mon ma une trop tres het een mijn niet "
    "te sehr "
    "more less most much many all both each every other another enough stuck broken compromised leaked pwned hashed".split()
)  # fmt: skip
"""Words that follow "password is" in an ordinary sentence."""
