import type { Delegation } from "../../journal/store.ts";

/** The open work that cannot go on before a delegation has ended: its managers, and what depends on it. */
export function findWaitingWork(tree: readonly Delegation[], id: string): readonly string[] {
  const waiting = new Set<string>();
  const open = tree.filter(({ state }) => state !== "closed");
  const visit = (awaited: string): void => {
    for (const one of open) {
      if (one.id === id || waiting.has(one.id) || !waitsFor(one, awaited)) continue;
      waiting.add(one.id);
      visit(one.id);
    }
  };
  visit(id);
  return open.map((one) => one.id).filter((one) => waiting.has(one));
}

function waitsFor({ waitingFor, work, state }: Delegation, awaited: string): boolean {
  const depends = state === "queued" ? (work?.dependsOn ?? []) : [];
  return waitingFor.includes(awaited) || depends.includes(awaited);
}
