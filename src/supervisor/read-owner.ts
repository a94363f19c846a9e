import { readFileSync } from "node:fs";

/** Who wrote down that it owns the project, in words; nothing is decided by it. */
export function describeOwner(file: string): string {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof owner !== "object" || owner === null) return "unknown";
    const fields = new Map<string, unknown>(Object.entries(owner));
    const word = (name: string): string => JSON.stringify(fields.get(name)) ?? "unknown";
    return `process ${word("pid")}, ambit ${word("version")}, since ${word("started_at")}`;
  } catch {
    // Not written yet, or half written: the lock alone tells that somebody is there.
    return "unknown";
  }
}
