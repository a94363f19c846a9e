import { hideSecrets } from "../items/trust-item.ts";
import type { TrustedItem } from "./trust-file.ts";

/** One item that is not as it was trusted. */
export interface ItemChange {
  readonly file: string;
  readonly field: string | null;
  readonly change: "added" | "changed" | "removed";
  /** The difference, line by line: `-` was trusted, `+` is there now. */
  readonly lines: readonly ChangedLine[];
}

export interface ChangedLine {
  readonly sign: "+" | "-";
  readonly text: string;
}

type Item = Pick<TrustedItem, "file" | "field" | "hash" | "isCriterion" | "text">;

/** The differences between what was trusted and what is there, without credentials. */
export function compareItems(trusted: readonly Item[], present: readonly Item[]): readonly ItemChange[] {
  const before = new Map(trusted.map((item) => [nameItem(item), item]));
  const now = new Set(present.map(nameItem));
  const changed = present.flatMap((item): readonly ItemChange[] => {
    const old = before.get(nameItem(item));
    if (old?.hash === item.hash) return [];
    const change = old === undefined ? "added" : "changed";
    return [describeChange(item, change, compareLines(old?.text ?? "", hideSecrets(item.text)))];
  });
  const removed = trusted
    // A criterion that is not there now belongs to another file, or its task is done.
    .filter((item) => item.isCriterion !== true && !now.has(nameItem(item)))
    .map((item) => describeChange(item, "removed", compareLines(item.text, "")));
  return [...changed, ...removed];
}

function describeChange(
  { file, field }: Item,
  change: ItemChange["change"],
  lines: readonly ChangedLine[],
): ItemChange {
  return { file, field, change, lines };
}

function nameItem({ file, field, hash, isCriterion }: Item): string {
  return isCriterion === true ? hash : JSON.stringify([file, field]);
}

/** Leaves out equal lines at the beginning and at the end; what is left was removed, then added. */
function compareLines(before: string, after: string): readonly ChangedLine[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  const first = countEqual(old, now);
  const last = countEqual(old.slice(first).toReversed(), now.slice(first).toReversed());
  const cut = (lines: readonly string[]): readonly string[] => lines.slice(first, lines.length - last);
  return [
    ...cut(old).map((text): ChangedLine => ({ sign: "-", text })),
    ...cut(now).map((text): ChangedLine => ({ sign: "+", text })),
  ];
}

function countEqual(some: readonly string[], others: readonly string[]): number {
  const different = some.findIndex((line, index) => line !== others[index]);
  return different === -1 ? some.length : different;
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/u, "").split("\n");
}
