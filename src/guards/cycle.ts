import { passed, type Guard, type Verdict } from "./verdict.ts";

/**
 * Refuses an agent role that is already on the path, and a target that would have to wait for itself. Only the ancestor
 * line can close a loop, so the check costs the depth, never the size of the graph. Workers without a name, or with only
 * the name of a program, are new each time and cannot repeat; depth and fan-out limit them.
 */
export const cycleGuard: Guard = (request, facts) => {
  if (request.targetId !== undefined && facts.idPath.includes(request.targetId)) {
    return reportCycle([...facts.idPath, request.targetId]);
  }
  if (request.agent !== undefined && facts.agentPath.includes(request.agent)) {
    return reportCycle([...facts.agentPath, request.agent]);
  }
  return passed("no_cycle");
};

function reportCycle(path: readonly string[]): Verdict {
  return {
    ok: false,
    code: "CYCLE_DETECTED",
    message: "Delegation cycle detected. Cannot delegate to avoid infinite loop.",
    details: [
      `Cycle path: ${path.join(" → ")} (attempted)`,
      "",
      "This would create an infinite delegation loop.",
    ],
    suggestion:
      "Leave agent out for a worker like yourself, name an agent or task that is not on this path, or do the work here.",
  };
}

/** Whether `from → to` would close a loop among these edges. Visits each node that `to` reaches once. */
export function closesCycle(
  edges: readonly (readonly [string, string])[],
  added: readonly [string, string],
): boolean {
  const [from, to] = added;
  const targets = new Map<string, string[]>();
  for (const [source, target] of edges) {
    const known = targets.get(source);
    if (known === undefined) targets.set(source, [target]);
    else known.push(target);
  }
  const seen = new Set<string>();
  const waiting = [to];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node === from) return true;
    if (seen.has(node)) continue;
    seen.add(node);
    for (const target of targets.get(node) ?? []) waiting.push(target);
  }
  return false;
}
