import { patience } from "../harness/patience.ts";
import { check, checkNothingRuns, fileOn, same } from "../harness/checks.ts";
import type { Scenario, Stage } from "../harness/scenario.ts";
import { handIn } from "./scripts.ts";

const PART = "begun\n";
/** More would fill a context window, and the CLI would begin to shorten its session instead. */
const LARGE = { input: 80_000, cached: 0, output: 1000 };

export const budget: Scenario = {
  name: "budget",
  about:
    "is stopped at its budget with its work kept; at most one request too many where it tells its use live",
  shape: "alone",
  play: (stage) => overspend(stage, { config: "", isHeld: stage.manager.hasLiveUsage }),
};

export const metered: Scenario = {
  name: "metered",
  about: "the same through the proxy that counts requests, for a CLI that tells its use too late",
  shape: "alone",
  suits: ({ canBeMetered }) => canBeMetered,
  play: (stage) => overspend(stage, { config: "agents:\n  metering: proxy", isHeld: true }),
};

/** Each request costs ten cents or more; the budget is gone after the first. */
async function overspend(
  { manager, open }: Stage,
  { config, isHeld }: { readonly config: string; readonly isHeld: boolean },
): Promise<void> {
  const steps = Array.from({ length: 8 }, (_, index) => ({ sh: `echo ${index} >> more.txt`, usage: LARGE }));
  const begin = { write: { path: "part.txt", text: PART }, usage: LARGE };
  const machine = await open({ config, scripts: { manager: [begin, ...steps, handIn("part.txt")] } });
  const words = ["--agent", manager.name, "--id", "S-1", "--budget", "0.05"];
  const { status, document } = await machine.json("run", "Use a lot @@S:manager", ...words);
  same([document["outcome"], document["code"]], ["partial", "COST_LIMIT_EXCEEDED"], "outcome and code");
  same(status, 5, "exit status");
  const asked = machine.requests().filter(({ kind }) => kind === "scripted").length;
  if (isHeld) check(asked <= 2, `${asked} requests were made with a budget for one`);
  // The one that broke the budget may be the one that asked for the file.
  if (!isHeld) same(fileOn(machine, "delegation/S-1", "part.txt"), PART, "part.txt on delegation/S-1");
  await checkNothingRuns(machine);
}

export const deadline: Scenario = {
  name: "deadline",
  about: "is stopped at its deadline in the middle of an answer, with its work kept",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({
      config: "delegation:\n  windDown:\n    graceSeconds: 1",
      scripts: {
        manager: [{ write: { path: "part.txt", text: PART } }, { delayMs: 600_000, ...handIn("part.txt") }],
      },
    });
    const words = ["--agent", manager.name, "--id", "S-1", "--timeout", String(patience(20))];
    const { status, document } = await machine.json("run", "Take long @@S:manager", ...words);
    same([document["outcome"], document["code"]], ["timed_out", "TIMEOUT"], "outcome and code");
    same(status, 124, "exit status");
    same(fileOn(machine, "delegation/S-1", "part.txt"), PART, "part.txt on delegation/S-1");
    await checkNothingRuns(machine);
  },
};
