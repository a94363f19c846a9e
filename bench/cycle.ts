import { defaultLimits } from "../src/contract/limits.ts";
import { closesCycle, cycleGuard } from "../src/guards/cycle.ts";
import { interleave, median, ratio, type Result } from "./measure.ts";

const WALKS = 20_000;

/** The guard's walk up the ancestor line against a search through the whole graph, at the same number of delegations. */
export async function cycleResults(delegations: number): Promise<Result[]> {
  const edges = Array.from({ length: delegations }, (_, index): [string, string] => {
    // A tree of ten workers each, as deep as the number allows: every node is reachable from the root.
    return [`N-${Math.floor(index / 10)}`, `N-${index + 1}`];
  });
  const line = ["N-0", "N-1", "N-2", "N-3"];
  const facts = {
    callerDepth: 2,
    agentPath: ["ambit", "manager", "planner", "implementer"],
    idPath: line,
    storyDelegations: 50,
    callerWorkers: 1,
    batchSize: 1,
    callerContextTokens: 0,
    availableMicroUsd: null,
  };
  // No agent is on the line, so both must look at everything before they can allow it.
  const requests = Array.from({ length: 64 }, (_, index) => {
    return { description: "", agent: `reviewer-${index}`, targetId: `N-none-${index}`, contextTokens: 0 };
  });
  const times = await interleave(15, {
    walk: () => {
      const began = performance.now();
      let allowed = 0;
      for (let count = 0; count < WALKS; count += 1) {
        const request = requests[count % requests.length];
        if (request !== undefined && cycleGuard(request, facts, defaultLimits).ok) allowed += 1;
      }
      if (allowed !== WALKS) throw new Error("the guard refused");
      return (performance.now() - began) / WALKS;
    },
    search: () => {
      const began = performance.now();
      if (closesCycle(edges, ["N-none", "N-0"])) throw new Error("the search found a loop");
      return performance.now() - began;
    },
  });
  const [walk, search] = [times.get("walk") ?? [], times.get("search") ?? []];
  const factor = ratio(search, walk);
  return [
    {
      what: `cycle check among ${delegations}: ancestor line / whole graph`,
      value: `${(median(walk) * 1000).toFixed(3)} µs / ${median(search).toFixed(0)} ms, ${Math.round(factor)}×`,
      goal: "≥ 50,000×",
      met: factor >= 50_000,
    },
  ];
}
