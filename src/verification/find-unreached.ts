import { readPort } from "./find-taken-port.ts";

const signs: readonly string[] = [
  "ECONNREFUSED",
  "connection refused",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "network is unreachable",
  "could not resolve",
  "name resolution",
  "name or service not known",
  "no such host",
].map((sign) => sign.toLowerCase());

/** The ports that a failed command could not reach; empty if it does not say which, undefined if it had no such trouble. */
export function findUnreached(output: string): readonly number[] | undefined {
  const lines = output.split("\n").filter((line) => signs.some((sign) => line.toLowerCase().includes(sign)));
  if (lines.length === 0) return undefined;
  return [...new Set(lines.map(readPort).filter((port) => port !== undefined))];
}
