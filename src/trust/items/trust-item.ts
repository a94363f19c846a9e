import { createHash } from "node:crypto";
import { redactCredentials } from "../../redaction/redact.ts";

/** One thing that a project names: a file, or one field of it. */
export interface TrustItem {
  /** Relative to the project. */
  readonly file: string;
  /** Null for a whole file. */
  readonly field: string | null;
  /** As it is in the project; the beginning of a long one. */
  readonly text: string;
  /** Of the whole content. */
  readonly hash: string;
  /** The text is only the beginning. */
  readonly isCut?: true;
  /** The command of a criterion. It is the same one wherever it is named, so its hash is its name. */
  readonly isCriterion?: true;
}

export function hashText(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** One hash for all items, in any order. */
export function hashItems(items: readonly TrustItem[]): string {
  const lines = items.map(({ file, field, hash }) => JSON.stringify([file, field, hash]));
  return hashText(lines.toSorted().join("\n"));
}

/** A text as it may be shown and stored. */
export function hideSecrets(text: string): string {
  return redactCredentials(text).text;
}
