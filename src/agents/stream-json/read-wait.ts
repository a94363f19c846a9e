/** Phrases before a wait in providers' messages, in lower case. */
const PHRASES = [
  "try again in ",
  "retry in ",
  "retry after ",
  "retry-after: ",
  'retrydelay":"',
  'retrydelay": "',
];

const UNITS: readonly (readonly [string, number])[] = [
  ["ms", 1],
  ["millisecond", 1],
  ["m", 60_000],
  ["s", 1000],
  ["h", 3_600_000],
  ["d", 86_400_000],
];

const MAX_PARTS = 4;
/** A longer wait means that the account is dead, and timers cannot hold it either. */
const MAX_WAIT_MS = 7 * 86_400_000;
const NUMBER = /^\d{1,9}(?:\.\d{1,9})?/;

/** The wait that a provider's message asks for: "try again in 1m 30.5s", `"retryDelay":"34s"`. */
export function readRetryWait(message: string): number | undefined {
  const text = message.toLowerCase();
  for (const phrase of PHRASES) {
    const at = text.indexOf(phrase);
    const wait = at < 0 ? undefined : readDurationAt(text, at + phrase.length);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

function readDurationAt(text: string, start: number): number | undefined {
  let rest = text.slice(start, start + 100);
  let total: number | undefined;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const number = NUMBER.exec(rest)?.[0];
    if (number === undefined) break;
    const afterNumber = rest.slice(number.length).trimStart();
    const unit = UNITS.find(([name]) => afterNumber.startsWith(name));
    total = (total ?? 0) + Number(number) * (unit?.[1] ?? 1000);
    rest = skipUnitWord(afterNumber);
  }
  return total === undefined ? undefined : Math.min(Math.round(total), MAX_WAIT_MS);
}

/** Skips the unit and the separator before the next part: "3 days, 4 hours". */
function skipUnitWord(text: string): string {
  let at = 0;
  while (at < text.length && /[a-z]/.test(text.charAt(at))) at += 1;
  while (at < text.length && /[\s,]/.test(text.charAt(at))) at += 1;
  return text.slice(at);
}
