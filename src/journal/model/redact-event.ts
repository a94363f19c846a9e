import { isRecord } from "../../base/json.ts";
import { redactValue, type FieldPolicy } from "../../redaction/redact.ts";

/** Removes credentials from the data of an event before it is stored, hashed and shown (R121). */
export function redactEventData(data: unknown): unknown {
  return redactValue(data, "", chooseThoroughness).value;
}

/**
 * The same, but no text gets longer. A text may be as long as its limit and contain a password that is shorter than its
 * replacement.
 */
export function redactWithinLimits(data: unknown): unknown {
  return clipGrown(data, redactEventData(data));
}

const chooseThoroughness: FieldPolicy = (name) => {
  if (runFields.has(name)) return "exact";
  return namingFields.has(name) || name.endsWith("Id") ? "none" : "all";
};

/**
 * Text that the runtime runs or compares. `PGPASSWORD=test npm test` must stay a working check, so only what is a
 * credential beyond doubt is removed.
 */
const runFields: ReadonlySet<string> = new Set(["command", "checks", "waived"]);

/** Names of things: ids, paths, commits, branches and words of fixed lists. A changed one would name something else. */
const namingFields: ReadonlySet<string> = new Set([
  "adapter",
  "agent",
  "artifacts",
  "base",
  "branch",
  "candidate",
  "changed",
  "checkedOn",
  "code",
  "codes",
  "commit",
  "continues",
  "delegated_to",
  "delegation",
  "dependsOn",
  "depends_on",
  "document",
  "file",
  "file_scope",
  "files",
  "filesChanged",
  "folder",
  "from",
  "id",
  "into",
  "kind",
  "log",
  "model",
  "onto",
  "ownFiles",
  "parent",
  "path",
  "paths",
  "pattern",
  "readable",
  "scope",
  "state",
  "status",
  "story",
  "task",
  "taskCommit",
  "template",
  "tip",
  "to",
  "todo",
  "tools",
  "verdict",
  "waitingFor",
]);

function clipGrown(original: unknown, redacted: unknown): unknown {
  if (typeof original === "string" && typeof redacted === "string") return redacted.slice(0, original.length);
  if (Array.isArray(original) && Array.isArray(redacted)) {
    const items: readonly unknown[] = redacted;
    return original.map((item: unknown, index) => clipGrown(item, items[index]));
  }
  if (!isRecord(original) || !isRecord(redacted)) return redacted;
  return Object.fromEntries(
    Object.entries(redacted).map(([key, field]) => [key, clipGrown(original[key], field)]),
  );
}
