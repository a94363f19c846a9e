import { patience } from "../harness/patience.ts";
import { check, checkCompleted, checkNothingRuns, fileOn, same } from "../harness/checks.ts";
import type { RecordedRequest } from "../../../src/testing/index.ts";
import type { AgentCli } from "../harness/clis.ts";
import type { Document, Machine } from "../harness/machine.ts";
import { offeredTools } from "../harness/offered-tools.ts";
import type { Scenario, Stage } from "../harness/scenario.ts";
import { handIn, writeFile } from "./scripts.ts";

const PART = "begun\n";
/** More would fill a context window, and the CLI would begin to shorten its session instead. */
const LARGE = { input: 80_000, cached: 0, output: 1000 };

export const budget: Scenario = {
  name: "budget",
  about: "is stopped at its budget after at most one request too many, with the settings everybody has",
  shape: "alone",
  forGeneric: true,
  suits: ({ hasLiveUsage, canBeMetered }) => hasLiveUsage || canBeMetered,
  play: (stage) => overspend(stage, ""),
};

export const metered: Scenario = {
  name: "metered",
  about: "the same through the proxy that counts requests, for a CLI that tells its use too late",
  shape: "alone",
  suits: ({ canBeMetered }) => canBeMetered,
  play: (stage) => overspend(stage, "agents:\n  metering: proxy"),
};

export const unmetered: Scenario = {
  name: "unmetered",
  about: "is refused before its first request where its budget cannot be held, and runs when that is allowed",
  shape: "alone",
  forGeneric: true,
  suits: ({ hasLiveUsage }) => !hasLiveUsage,
  play: async ({ manager, open, tell }) => {
    const machine = await open({
      config: "agents:\n  metering: none",
      scripts: { manager: [writeFile(manager, "part.txt", PART), handIn("part.txt")] },
    });
    const words = ["--agent", manager.name, "--budget", "0.05"];
    const refused = await machine.ambit("run", "Use a lot @@S:manager", "--id", "S-1", ...words);
    same(refused.status, 5, "exit status of a budget that cannot be held");
    check(refused.stderr.includes("BUDGET_UNMETERED"), `it said ${refused.stderr.slice(0, 300)}`);
    same(machine.requests().length, 0, "requests before the refusal");
    const more = ["--id", "S-2", ...words, "--allow-unmetered"];
    const allowed = await machine.json("run", "Use a lot @@S:manager", ...more);
    checkCompleted(machine, allowed, { "part.txt": PART });
    tell("refused at the start");
  },
};

/** Each request costs ten cents or more; the budget is gone after the first. The model answers at once. */
async function overspend({ manager, open, tell }: Stage, config: string): Promise<void> {
  const steps = Array.from({ length: 8 }, (_, index) => ({
    sh: `echo ${index} >> more.txt`,
    usage: LARGE,
  }));
  const begin = { ...writeFile(manager, "part.txt", PART), usage: LARGE };
  const machine = await open({ config, scripts: { manager: [begin, ...steps, handIn("part.txt")] } });
  const words = ["--agent", manager.name, "--id", "S-1", "--budget", "0.05"];
  const { status, document } = await machine.json("run", "Use a lot @@S:manager", ...words);
  same([document["outcome"], document["code"]], ["partial", "COST_LIMIT_EXCEEDED"], "outcome and code");
  same(status, 5, "exit status");
  const asked = machine.requests().filter(({ kind }) => kind === "scripted").length;
  check(asked <= 2, `${asked} requests were made with a budget for one`);
  tell(`stopped after ${asked}`);
  await checkBooked(machine, asked);
  await checkNothingRuns(machine);
}

/** What the model said it read and wrote is what is booked; a request in flight may be missing. */
async function checkBooked(machine: Machine, asked: number): Promise<void> {
  const { document } = await machine.json("cost", "S-1");
  const { total_tokens_in: read, total_tokens_out: written } = document;
  const least = asked - 1;
  check(
    read >= least * LARGE.input && written >= least * LARGE.output,
    `${asked} requests, booked ${read} tokens in and ${written} out`,
  );
}

const MAX_CALLS = 30;

export const loop: Scenario = {
  name: "loop",
  about: "is stopped when it makes the same call for ever",
  shape: "alone",
  forGeneric: true,

  play: async ({ manager, open, tell }) => {
    const begin = writeFile(manager, "part.txt", PART);
    const steps = Array.from({ length: 3 * MAX_CALLS }, () => ({ sh: "ls" }));
    const machine = await open({ scripts: { manager: [begin, ...steps, handIn("part.txt")] } });
    const words = ["--agent", manager.name, "--id", "S-1"];
    const { document } = await machine.json("run", "Look for ever @@S:manager", ...words);
    same([document["outcome"], document["code"]], ["partial", "AGENT_LOOPED"], "outcome and code");
    const asked = machine.requests().filter(({ kind }) => kind === "scripted").length;
    check(asked <= MAX_CALLS, `${asked} requests were made`);
    tell(`stopped after ${asked} requests`);
    same(fileOn(machine, "delegation/S-1", "part.txt"), PART, "part.txt on delegation/S-1");
    await checkNothingRuns(machine);
  },
};

export const ownAgents: Scenario = {
  name: "ownAgents",
  about: "cannot start agents of its own: none of its tools for that is offered, or its use ends the attempt",
  shape: "alone",
  forGeneric: true,
  suits: ({ ownAgentTools }) => ownAgentTools.length > 0,
  play: async ({ manager, open, tell }) => {
    const [tool = ""] = manager.ownAgentTools;
    const order = {
      description: "Write sub.txt",
      prompt: "Write sub.txt @@S:child",
      message: "@@S:child",
      instructions: "Write sub.txt @@S:child",
    };
    const machine = await open({
      scripts: {
        manager: [{ call: { tool: `=${tool}`, arguments: order } }, handIn("readme.txt")],
        child: [{ write: { path: "sub.txt", text: PART } }, { text: "Done." }],
      },
    });
    const words = ["--agent", manager.name, "--id", "S-1"];
    const { document } = await machine.json("run", "Use agents @@S:manager", ...words);
    const requests = machine.requests();
    check(
      requests.some(({ script }) => script === "manager"),
      "its model was never asked",
    );
    if (manager.keepsOwnAgents === true) await checkStopped(machine, document);
    else checkNotOffered(manager, requests);
    const children = requests.filter(({ kind, script }) => kind === "scripted" && script === "child");
    const most = manager.keepsOwnAgents === true ? 1 : 0;
    check(children.length <= most, `${children.length} requests of agents of its own`);
    for (const branch of ["delegation/S-1", "ambit/S-1"])
      same(fileOn(machine, branch, "sub.txt"), null, `sub.txt of an agent of its own on ${branch}`);
    tell(manager.keepsOwnAgents === true ? "stopped at the call" : "not offered");
    await checkNothingRuns(machine);
  },
};

function checkNotOffered({ ownAgentTools }: AgentCli, requests: readonly RecordedRequest[]): void {
  const offered = requests.flatMap(offeredTools).filter((name) => ownAgentTools.includes(name));
  same([...new Set(offered)], [], "tools for agents of its own that it was offered");
}

/** It has no switch: the call of such a tool ends it, and a person is told so before. */
async function checkStopped(machine: Machine, document: Document): Promise<void> {
  same(document["code"], "AGENT_STARTED_AGENTS", "code");
  const { stderr } = await machine.ambit("agents", "check");
  check(stderr.includes("cannot be switched off"), `agents check says ${stderr.slice(0, 300)}`);
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
