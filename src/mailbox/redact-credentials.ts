/** What stands where a credential stood. */
export const REDACTED = "[redacted]";

export interface Redaction {
  readonly text: string;
  /** How many were taken out. */
  readonly count: number;
}

/**
 * Takes credentials out of a text before anybody stores or passes it on (R121): private keys, tokens of well-known
 * shapes, passwords in addresses, and what is given to a name such as `password` or `api_key`. Names without a value,
 * as in "please provide DB_PASSWORD", stay. Each pass goes forward only.
 */
export function redactCredentials(text: string): Redaction {
  let count = 0;
  const cut = (): string => {
    count += 1;
    return REDACTED;
  };
  const redacted = cutSecrets(cutPasswords(cutPrivateKeys(text, cut), cut), cut);
  return { text: redacted, count };
}

/** Every text inside a value; names of fields are values of nobody, but what is given to one may be a credential. */
export function redactValue(value: unknown, name = ""): { readonly value: unknown; readonly count: number } {
  if (typeof value === "string") {
    if (isSecretName(name) && isSecretLike(value)) return { value: REDACTED, count: 1 };
    const { text, count } = redactCredentials(value);
    return { value: text, count };
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactValue(item, name));
    return { value: items.map((item) => item.value), count: sum(items) };
  }
  if (typeof value !== "object" || value === null) return { value, count: 0 };
  const fields = Object.entries(value).map(([key, field]): [string, ReturnType<typeof redactValue>] => [
    key,
    redactValue(field, key),
  ]);
  return {
    value: Object.fromEntries(fields.map(([key, field]) => [key, field.value])),
    count: sum(fields.map(([, field]) => field)),
  };
}

function sum(items: readonly { readonly count: number }[]): number {
  return items.reduce((total, { count }) => total + count, 0);
}

const KEY_BEGIN = "-----BEGIN ";
const KEY_END = "-----END ";

/** A key that breaks off takes the rest of the text with it: half a key is still one. */
function cutPrivateKeys(text: string, cut: () => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(KEY_BEGIN, from);
    if (start === -1) return pieces.join("") + text.slice(from);
    const title = text.slice(start, start + 80);
    const isPrivate = title.includes("PRIVATE KEY");
    const end = isPrivate ? text.indexOf(KEY_END, start) : start;
    const after = isPrivate ? endOfLine(text, end) : start + KEY_BEGIN.length;
    pieces.push(text.slice(from, start), isPrivate ? cut() : KEY_BEGIN);
    from = after;
  }
}

function endOfLine(text: string, at: number): number {
  if (at === -1) return text.length;
  const close = text.indexOf("-----", at + KEY_END.length);
  return close === -1 ? text.length : close + "-----".length;
}

/** `scheme://user:password@host` keeps all but the password. */
function cutPasswords(text: string, cut: () => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("://", from);
    if (start === -1) return pieces.join("") + text.slice(from);
    const authority = text.slice(start + 3, endOfAuthority(text, start + 3));
    const at = authority.lastIndexOf("@");
    const colon = authority.indexOf(":");
    const hasPassword = colon !== -1 && colon < at - 1;
    const kept = start + 3 + (hasPassword ? colon + 1 : 0);
    pieces.push(text.slice(from, kept), hasPassword ? cut() : "");
    from = hasPassword ? start + 3 + at : kept;
  }
}

function endOfAuthority(text: string, from: number): number {
  let end = from;
  while (end < text.length && !' \t\r\n/?#"<>'.includes(text.charAt(end))) end += 1;
  return end;
}

/** Word by word: tokens known by their shape, what follows `Bearer`, and what is given to the name of a secret. */
function cutSecrets(text: string, cut: () => string): string {
  const pieces: string[] = [];
  let kept = 0;
  let before = "";
  for (let at = 0; at < text.length;) {
    const end = endOfWord(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    const word = text.slice(at, end);
    const isBearer = /^(?:bearer|basic)$/i.test(before) && word.length >= LONG_SECRET;
    const value = isKnownToken(word) || isBearer ? { start: at, end } : valueOf(text, word, end);
    if (value !== undefined) {
      pieces.push(text.slice(kept, value.start), cut());
      kept = value.end;
    }
    before = word;
    at = value?.end ?? end;
  }
  return pieces.join("") + text.slice(kept);
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (end < text.length && /[\w./+~-]/.test(text.charAt(end))) end += 1;
  return end;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** `password=x`, `"api_key": "x y"`, `secret : x`: where the value of a secret's name stands. */
function valueOf(text: string, name: string, after: number): Place | undefined {
  if (!isSecretName(name)) return undefined;
  const sign = skip(text, skip(text, after, QUOTES), BLANKS);
  if (!"=:".includes(text.charAt(sign) || " ") || text.startsWith("://", sign)) return undefined;
  const start = skip(text, sign + 1, BLANKS);
  const quote = text.charAt(start);
  const isQuoted = quote !== "" && QUOTES.includes(quote);
  const from = isQuoted ? start + 1 : start;
  let end = from;
  const stops = isQuoted ? quote : QUOTES + BLANKS;
  while (end < text.length && !stops.includes(text.charAt(end))) end += 1;
  const value = text.slice(from, end);
  if (!isSecretLike(value)) return undefined;
  return { start: from, end: isQuoted ? end : end - closing(value).length };
}

const QUOTES = "\"'`";
const BLANKS = " \t\r\n";

function skip(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text.charAt(at))) at += 1;
  return at;
}

const secretNames = [
  "password",
  "passwd",
  "passphrase",
  "secret",
  "token",
  "apikey",
  "accesskey",
  "privatekey",
  "credential",
  "credentials",
  "authorization",
] as const;

/** The last part of a name says what it is: `DB_PASSWORD` is a password, `password_file` is a file. */
function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return secretNames.some((secret) => plain.endsWith(secret));
}

const LONG_SECRET = 8;
const SHORT_SECRET = 4;

/** Long enough, and neither a placeholder nor a reference to where the real one is kept. */
function isSecretLike(value: string): boolean {
  const plain = value.slice(0, value.length - closing(value).length);
  if (plain.length < SHORT_SECRET || value.startsWith(REDACTED)) return false;
  if (/^(?:\$|<|\{|\*|\[|process\.env|env:|vault:)/i.test(plain)) return false;
  return !/^(?:null|none|true|false|undefined|required|missing|needed|example|changeme|bearer|basic)\b/i.test(
    plain,
  );
}

/** Prefixes that mean a credential, with how many characters follow at least. */
const knownPrefixes: readonly (readonly [string, number])[] = [
  ["sk-", 16],
  ["sk_live_", 10],
  ["sk_test_", 10],
  ["rk_live_", 10],
  ["ghp_", 20],
  ["gho_", 20],
  ["ghu_", 20],
  ["ghs_", 20],
  ["ghr_", 20],
  ["github_pat_", 20],
  ["glpat-", 16],
  ["xoxb-", 10],
  ["xoxp-", 10],
  ["xapp-", 10],
  ["npm_", 20],
  ["pypi-", 20],
  ["hf_", 20],
  ["AIza", 30],
  ["ya29.", 20],
  ["AKIA", 16],
  ["ASIA", 16],
  ["eyJ", 30],
];

function isKnownToken(word: string): boolean {
  return knownPrefixes.some(
    ([prefix, least]) =>
      word.startsWith(prefix) &&
      word.length >= prefix.length + least &&
      /^[\w.=/+-]+$/.test(word.slice(0, prefix.length + least)),
  );
}

/** What closes a sentence or a bracket is not part of a value. */
function closing(value: string): string {
  let end = value.length;
  while (end > 0 && ")]}>,;.".includes(value.charAt(end - 1))) end -= 1;
  return value.slice(end);
}
