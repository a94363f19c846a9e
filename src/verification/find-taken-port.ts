const signs: readonly string[] = [
  "EADDRINUSE",
  "address already in use",
  "port is already allocated",
  "is already in use",
];
const MAX_PORT = 65_535;

/** The port that a failed command wanted and could not have; null if it does not say which, undefined if it had no such trouble. */
export function findTakenPort(output: string): number | null | undefined {
  const lines = output
    .split("\n")
    .filter((line) => signs.some((sign) => line.toLowerCase().includes(sign.toLowerCase())));
  if (lines.length === 0) return undefined;
  return lines.map(readPort).find((port) => port !== undefined) ?? null;
}

/** `:::3000`, `127.0.0.1:3000`, `listen tcp :8080: bind`, `Port 3000 is`, `port: 3000` */
export function readPort(line: string): number | undefined {
  const found = [...line.slice(0, 1000).matchAll(/(?:\bport:?\s{1,4}|:)(\d{2,5})\b/gi)];
  return found.map(([, digits]) => Number(digits)).findLast((port) => port > 0 && port <= MAX_PORT);
}
