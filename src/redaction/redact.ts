import { joinSpans, type Span } from "./scan/characters.ts";
import { findSecrets, type Thoroughness } from "./scan/find-secrets.ts";
import { isSecretValue } from "./scan/secret-value.ts";
import { rateName } from "./rules/secret-names.ts";
import { decodePercent, hideInvisible, mapSpan } from "./scan/views.ts";

export type { Thoroughness } from "./scan/find-secrets.ts";

/** Replaces a credential. */
export const REDACTED = "[redacted]";

export interface Redaction {
  readonly text: string;
  /** How many were removed. */
  readonly count: number;
}

/**
 * Removes credentials from a text before it is stored or passed on (R121): private keys, tokens of well-known shapes,
 * passwords in addresses and commands, values of names such as `password` or `api_key`, and the secret values of this
 * environment (`learnSecrets`), also percent-encoded or with invisible characters inside. Names without a value, as in
 * "please provide DB_PASSWORD", stay. The time is in proportion to the text, and a second pass changes nothing.
 */
export function redactCredentials(text: string, thoroughness: Thoroughness = "all"): Redaction {
  let redaction = cutSecrets(text, thoroughness);
  // The text next to a removed secret may read as another one. A text without secrets costs one pass.
  for (let pass = 1, found = redaction.count; found > 0 && pass < MAX_PASSES; pass += 1) {
    const again = cutSecrets(redaction.text, thoroughness);
    found = again.count;
    redaction = { text: again.text, count: redaction.count + found };
  }
  return redaction;
}

const MAX_PASSES = 8;

function cutSecrets(text: string, thoroughness: Thoroughness): Redaction {
  const spans = findEverywhere(text, thoroughness);
  if (spans.length === 0) return { text, count: 0 };
  const pieces: string[] = [];
  let kept = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(kept, start), REDACTED);
    kept = end;
  }
  return { text: pieces.join("") + text.slice(kept), count: spans.length };
}

/** Where the credentials of a text are, in order. */
export function findCredentials(text: string): readonly Span[] {
  return findEverywhere(text, "all");
}

/** In the text as it is, without invisible characters, and percent-decoded. */
function findEverywhere(text: string, thoroughness: Thoroughness): readonly Span[] {
  const plain = findSecrets(text, thoroughness);
  const views = [hideInvisible(text), decodePercent(text)].filter((view) => view !== undefined);
  if (views.length === 0) return plain;
  const others = views.flatMap((view) =>
    findSecrets(view.text, thoroughness).map((span) => mapSpan(view, span)),
  );
  return joinSpans([...plain, ...others]);
}

export interface RedactedValue {
  readonly value: unknown;
  readonly count: number;
}

/** Says for a field's name how thoroughly its value is searched; "none" leaves it as it is. */
export type FieldPolicy = (name: string) => Thoroughness | "none";

const everything: FieldPolicy = () => "all";

/** Redacts every text inside a value. Field names are not redacted; they decide about their values. */
export function redactValue(value: unknown, name = "", policy: FieldPolicy = everything): RedactedValue {
  if (typeof value === "string") return redactField(value, name, policy(name));
  if (typeof value !== "object" || value === null) return { value, count: 0 };
  return Array.isArray(value) ? redactItems(value, name, policy) : redactFields(value, policy);
}

/** Most values hold no secret, so nothing is copied before the first one is found. */
function redactItems(items: readonly unknown[], name: string, policy: FieldPolicy): RedactedValue {
  let copy: unknown[] | undefined;
  let count = 0;
  for (const [index, item] of items.entries()) {
    const redacted = redactValue(item, name, policy);
    if (redacted.count === 0) continue;
    copy ??= [...items];
    copy[index] = redacted.value;
    count += redacted.count;
  }
  return { value: copy ?? items, count };
}

function redactFields(fields: object, policy: FieldPolicy): RedactedValue {
  let copy: Map<string, unknown> | undefined;
  let count = 0;
  for (const [key, field] of Object.entries(fields)) {
    if (typeof field !== "string" && typeof field !== "object") continue;
    const redacted = redactValue(field, key, policy);
    if (redacted.count === 0) continue;
    copy ??= new Map(Object.entries(fields));
    copy.set(key, redacted.value);
    count += redacted.count;
  }
  return { value: copy === undefined ? fields : Object.fromEntries(copy), count };
}

function redactField(text: string, name: string, thoroughness: Thoroughness | "none"): RedactedValue {
  if (thoroughness === "none") return { value: text, count: 0 };
  const strength = thoroughness === "all" ? rateName(name) : undefined;
  const isSecret =
    strength !== undefined && isSecretValue({ text, name, strength, isTight: true, isQuoted: true });
  if (isSecret) return { value: REDACTED, count: 1 };
  const redaction = redactCredentials(text, thoroughness);
  return { value: redaction.text, count: redaction.count };
}
