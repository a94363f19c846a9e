import { measureEntropy } from "./characters.ts";
import { readPair } from "./match-shape.ts";
import { rateName } from "../rules/secret-names.ts";

const MIN_VALUE_LENGTH = 8;
const MAX_VALUE_LENGTH = 4096;
const MIN_ENTROPY = 2.8;

/** Values of this machine that are secret whatever they look like, by their first two characters; longest first. */
export class KnownValues {
  readonly #values = new Set<string>();
  readonly #byPair = new Map<number, string[]>();

  /** Adds the values of an environment whose names say that they are secret. Returns the new first pairs. */
  learn(environment: Readonly<Record<string, string | undefined>>): readonly number[] {
    const fresh = Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && isSecretVariable(name, value) ? encodeForms(value) : [],
    );
    return fresh.flatMap((form) => this.#add(form));
  }

  #add(form: string): readonly number[] {
    if (form.length < MIN_VALUE_LENGTH || this.#values.has(form)) return [];
    this.#values.add(form);
    const pair = readPair(form, 0);
    const list = [...(this.#byPair.get(pair) ?? []), form];
    this.#byPair.set(
      pair,
      list.toSorted((one, other) => other.length - one.length),
    );
    return [pair];
  }

  /** The length of the known value that begins here; 0 if none does. */
  match(text: string, at: number): number {
    if (this.#values.size === 0) return 0;
    const list = this.#byPair.get(readPair(text, at));
    return list?.find((value) => text.startsWith(value, at))?.length ?? 0;
  }
}

/** A path, an address without a password, a plain word or a number is not a secret, whatever its name says. */
function isSecretVariable(name: string, value: string): boolean {
  if (rateName(name) === undefined && !/(?:_URL|_URI|_DSN|CONNECTION_STRING)$/i.test(name)) return false;
  if (value.length < MIN_VALUE_LENGTH || value.length > MAX_VALUE_LENGTH) return false;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return /:\/\/[^/@\s]*:[^/@\s]+@/.test(value);
  if (/^(?:[./~]|[A-Za-z]+$|[\d.]+$)/.test(value) || / .* /.test(value) || value.includes("/bin/"))
    return false;
  return measureEntropy(value) >= MIN_ENTROPY;
}

/** As it is, percent-encoded, as a JSON string, in base64 of both alphabets at each of its three alignments. */
function encodeForms(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const plain = [value, encodeURIComponent(value), escaped];
  const base64 = [0, 1, 2]
    .map((offset) => encodeInner(value, offset))
    .filter((text) => text.length >= MIN_BASE64_LENGTH);
  return [...plain, ...base64, ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

const MIN_BASE64_LENGTH = 12;

/**
 * The base64 digits that any text with this value at such an offset must contain, because no neighbour changes them.
 */
function encodeInner(value: string, offset: number): string {
  const bytes = Buffer.from(value);
  const skipped = (3 - offset) % 3;
  const whole = bytes.length - skipped - ((bytes.length - skipped) % 3);
  return bytes.subarray(skipped, skipped + whole).toString("base64");
}
