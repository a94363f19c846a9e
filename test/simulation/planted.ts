import type { CheckResult } from "../../src/verification/run-checks.ts";
import type { RunTools } from "../../src/orchestrator/ports/run-tools.ts";
import type { WorkPlace } from "../../src/orchestrator/ports/work-place.ts";

/** Faults put in on purpose, by wrapping a tool: each must be noticed. */
export const plantedFaults = [
  "move-without-compare",
  "move-twice",
  "work-lost-on-crash",
  "checks-not-run",
  "scope-not-judged",
  "slot-leaked",
  "slot-too-many",
  "nothing-reaped",
  "spent-twice",
  "acknowledged-early",
] as const;
export type Planted = (typeof plantedFaults)[number] | "nothing";

export function plantFault(planted: Planted, tools: RunTools): RunTools {
  return planted === "nothing" ? tools : { ...tools, ...faults[planted](tools) };
}

const MANY = 64;

const faults: Readonly<Record<Exclude<Planted, "nothing">, (tools: RunTools) => Partial<RunTools>>> = {
  "move-without-compare": ({ git }) => ({
    git: {
      ...git,
      moveBranch: async (move) => {
        for (;;) {
          const answer = await git.moveBranch({ ...move, from: await git.readBranch(move.ref) });
          if (answer !== "raced") return answer;
        }
      },
    },
  }),
  "move-twice": ({ git }) => ({
    git: {
      ...git,
      moveBranch: async (move) => {
        const answer = await git.moveBranch(move);
        if (answer !== "already") return answer;
        const made = { tree: await git.treeOf(move.to), message: "again\n", timeSeconds: 0 };
        const to = await git.commit({ ...made, parents: [move.to] });
        return git.moveBranch({ ref: move.ref, from: move.to, to });
      },
    },
  }),
  "work-lost-on-crash": ({ git }) => ({
    git: {
      ...git,
      findPlace: async (delegation) => {
        const place = await git.findPlace(delegation);
        return place === undefined ? undefined : forgetful(place);
      },
    },
  }),
  "checks-not-run": ({ processes }) => ({
    processes: { ...processes, runChecks: async ({ criteria }) => criteria.map(believed) },
  }),
  "scope-not-judged": ({ git }) => ({
    git: {
      ...git,
      judgeScope: async (question) => ({
        ...(await git.judgeScope(question)),
        outsideScope: [],
        sensitive: [],
        isClear: true,
      }),
    },
  }),
  "slot-leaked": ({ store }) => ({
    store: {
      ...store,
      record: async (event) => (event.type === "attempt-lost" ? "ok" : store.record(event)),
    },
  }),
  "slot-too-many": ({ store }) => ({
    store: {
      ...store,
      begin: (id, attempt, lease) => store.begin(id, attempt, { ...lease, maxConcurrent: MANY }),
    },
  }),
  "nothing-reaped": ({ processes }) => ({ processes: { ...processes, reap: async () => 0 } }),
  "spent-twice": ({ store }) => ({
    store: {
      ...store,
      spend: async (id, attempt, usage) => {
        await store.spend(id, attempt, usage);
        return store.spend(id, attempt, usage);
      },
    },
  }),
  "acknowledged-early": ({ store }) => ({
    store: {
      ...store,
      record: async (event) => (event.type === "criterion-checked" ? "ok" : store.record(event)),
    },
  }),
};

/** Keeps nothing of what an interrupted worker left. */
function forgetful(place: WorkPlace): WorkPlace {
  const { base } = place;
  return { ...place, keepWork: async () => ({ base, tip: base, filesChanged: [] }) };
}

function believed(criterion: CheckResult["criterion"]): CheckResult {
  return { criterion, verdict: "passed", code: null, evidence: "It said so." };
}
