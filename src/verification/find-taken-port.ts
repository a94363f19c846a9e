/** Names and addresses of people can be in use, too. */
const signs: readonly RegExp[] = [
  /EADDRINUSE/i,
  /address already in use/i,
  /\bport\b.{0,40}\bis already (?:in use|allocated|used)\b/i,
  /\bport\b.{0,40}\bis (?:in use|occupied|taken|not available)\b/i,
];
const MAX_PORT = 65_535;
const MAX_LINE_LENGTH = 1000;

/** The port that a failed command wanted and could not have; null if it does not say which, undefined if it had no such trouble. */
export function findTakenPort(output: string): number | null | undefined {
  const lines = output
    .split("\n")
    .filter((line) => signs.some((sign) => sign.test(line.slice(0, MAX_LINE_LENGTH))));
  if (lines.length === 0) return undefined;
  return lines.map(readPort).find((port) => port !== undefined) ?? null;
}

/** `:::3000`, `127.0.0.1:3000`, `listen tcp :8080: bind`, `Port 3000 is`, `port: 3000` */
export function readPort(line: string): number | undefined {
  const found = [...line.slice(0, MAX_LINE_LENGTH).matchAll(/(?:\bport:?\s{1,4}|:)(\d{2,5})\b/gi)];
  return found.map(([, digits]) => Number(digits)).findLast((port) => port > 0 && port <= MAX_PORT);
}
