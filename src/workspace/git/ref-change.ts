import type { Repository } from "./repository.ts";

export interface RefChange {
  readonly ref: string;
  /** Undefined deletes the ref. */
  readonly to: string | undefined;
  /** The value the ref must have now; `absent` if it must not exist; undefined accepts any value. */
  readonly from?: string | undefined;
}

export const absent = "absent";

/** One line of `update-ref --stdin`. */
export function formatRefLine(repository: Repository, { ref, to, from }: RefChange): string {
  const zero = "0".repeat(repository.objectFormat === "sha256" ? 64 : 40);
  const old = from === absent ? zero : from;
  const words = to === undefined ? ["delete", ref, old] : ["update", ref, to, old];
  return `${words.filter((word) => word !== undefined).join(" ")}\n`;
}
