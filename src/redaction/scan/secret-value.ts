import { rateName } from "../rules/secret-names.ts";
import { looksRandom, type Span } from "./characters.ts";

export interface NamedValue {
  readonly text: string;
  readonly name: string;
  readonly strength: "strong" | "weak";
  /** Written as `name=value`, without a blank. */
  readonly isTight: boolean;
  readonly isQuoted: boolean;
}

const MIN_SECRET_LENGTH = 4;
const MIN_WEAK_LENGTH = 12;

/** Long enough, and neither a placeholder, nor code, nor a reference to where the real one is kept. */
export function isSecretValue(value: NamedValue): boolean {
  const { text, strength, isQuoted } = value;
  const plain = isQuoted ? text : text.slice(0, trimClosing(text, { start: 0, end: text.length }));
  if (plain.length < MIN_SECRET_LENGTH || plain.length > MAX_SECRET_LENGTH) return false;
  if (isPlaceholder(plain) || isNameOfSecret(value, plain)) return false;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(plain)) return false;
  if (strength === "weak" && !isWeakSecret(value, plain)) return false;
  if (isQuoted) return !isProse(plain, value.name);
  return !isCode(value, plain);
}

const MAX_SECRET_LENGTH = 4096;

/** `password=DB_PASSWORD` and `token: authToken` say where the value is; `DB_PASSWORD=topsecret` is the value. */
function isNameOfSecret({ name, isTight }: NamedValue, plain: string): boolean {
  if (rateName(plain) === undefined) return false;
  if (/^[A-Z][A-Z\d_]*$/.test(plain)) return true;
  const isSetting = isTight && /^[A-Z][A-Z\d_]*$/.test(name);
  return !isSetting && /^[A-Za-z_$][A-Za-z_$-]*$/.test(plain);
}

/** `MYSQL_PWD=hunter2` is a secret; `sortKey: createdAt`, `OLDPWD=/home` and `cache_key=user:1` are not. */
function isWeakSecret({ name, isTight }: NamedValue, plain: string): boolean {
  if (/^(?:\/|\.{1,2}\/|~)/.test(plain) || isDigest(plain)) return false;
  if (/(?:pass|pwd)$/i.test(name) && /[_.-]/.test(name)) return isTight || looksRandom(plain);
  return (
    plain.length >= MIN_WEAK_LENGTH &&
    /^[\w+/=.~%-]+$/.test(plain) &&
    /\d/.test(plain) &&
    /[a-z]/i.test(plain)
  );
}

/** Hashes of content and UUIDs name things; they open nothing. */
function isDigest(plain: string): boolean {
  return (
    /^(?:sha\d+[-:]|md5[-:])/.test(plain) ||
    /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(plain) ||
    /^(?:[\da-f]{40}|[\da-f]{64})$/.test(plain)
  );
}

function isPlaceholder(plain: string): boolean {
  if (/^(?:[$<{*[(%]|\.\.\.|process\.env|env[.:[(]|vault:|os\.|secrets?\.|op:\/\/)/i.test(plain)) return true;
  if (/^(.)\1*$/.test(plain)) return true;
  return PLACEHOLDERS.test(plain);
}

const PLACEHOLDERS =
  /^(?:null|none|nil|true|false|undefined|required|optional|missing|needed|example|changeme|change-me|bearer|basic|digest|string|str|number|boolean|bool|bytes|text|unknown|any|object|void|never|int|async|await|new|function|typeof|your[-_ ].*|my[-_ ].*|xxx+.*|redacted|hidden|masked|todo)\b/i;

/** A sentence, as in a message: `password: "Please enter your password"`. A passphrase is one by its name. */
function isProse(plain: string, name: string): boolean {
  if (/passphrase$/i.test(name)) return false;
  return /\s/.test(plain.trim()) && /^[\p{L}\p{P}\s]+$/u.test(plain);
}

function isCode({ name, strength, isTight }: NamedValue, plain: string): boolean {
  // A call, an index, a type or a path of fields.
  if (/[()]|=>/.test(plain) || /^[\p{L}_$][\w$]*(?:\??\.[\p{L}_$][\w$]*)+$/u.test(plain)) return true;
  if (/^[A-Za-z_$][\w$]*(?:\[|<)/.test(plain)) return true;
  if (/^[A-Za-z_$]+$/.test(plain) && !isTight) return true;
  // Counts: `token=4000`.
  return (
    strength === "strong" &&
    /(?:token|key|secret|credentials?)$/i.test(name) &&
    /^[\d.,_]+[kKM]?$/.test(plain)
  );
}

/** Where a value ends without its closing punctuation. */
export function trimClosing(text: string, { start, end }: Span): number {
  let last = end;
  while (last > start && ")]}>,;.".includes(text.charAt(last - 1))) last -= 1;
  return last;
}
