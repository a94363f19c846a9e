import type { TreeNode } from "../../../app/view-types.ts";
import { hasEnded } from "../text/state-look.ts";
import { createStore } from "./store.ts";

/** The newest change that a screen reader should announce. */
export const announcement = createStore("");

export function announce(text: string): void {
  announcement.set(() => text);
}

const MAX_NAMED = 2;

/** Announces only delegations that ended or need a person, and summarises when there are many. */
export function announceChanges(
  before: ReadonlyMap<string, TreeNode>,
  after: ReadonlyMap<string, TreeNode>,
): void {
  const news = [...after.values()].filter((node) => {
    const old = before.get(node.id);
    return old?.state !== node.state && (node.state === "needs you" || hasEnded(node.state));
  });
  if (news.length === 0) return;
  const named = news.slice(0, MAX_NAMED).map((node) => `${node.label} ${node.title}: ${node.stateWord}`);
  const rest = news.length - named.length;
  announce(`${named.join(". ")}${rest > 0 ? `. And ${rest} more changes` : ""}.`);
}
