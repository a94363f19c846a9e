import {
  agentsOf,
  check,
  checkCompleted,
  checkNothingRuns,
  checkSameSession,
  eventsOf,
  same,
} from "../harness/checks.ts";
import type { AgentCli } from "../harness/clis.ts";
import type { Machine } from "../harness/machine.ts";
import { offeredTools } from "../harness/offered-tools.ts";
import { patience } from "../harness/patience.ts";
import type { Scenario, Stage } from "../harness/scenario.ts";
import { bothFiles, copyPoem, poet, type Step } from "./scripts.ts";

const STORY = "S-1";
const TASK = "Write the poem @@S:worker";
const SAID = "I hand out the poem";
const RESUMED = "ended completed";

export const byTool: Scenario = {
  name: "tool",
  about: "delegates by the MCP tool to a worker of another CLI and goes on with its work in its folder",
  shape: "pair",
  isFast: true,
  forGeneric: true,
  // Without MCP an agent delegates in its shell.
  suits: ({ name }) => !["pi", "pi-acp"].includes(name),
  play: async (stage) => {
    const machine = await stage.open({
      scripts: {
        manager: [
          ...findTools(stage.manager),
          { delegate: { tasks: [{ description: TASK, agent: stage.worker.name }] } },
          ...copyPoem,
        ],
        worker: poet,
      },
    });
    await runToTheEnd(machine, stage);
    const attempts = (await eventsOf(machine, STORY)).filter(
      ({ type, delegation }) => type === "attempt-started" && delegation === STORY,
    );
    same(attempts.length, 1, "attempts of the manager");
    const first = machine
      .requests()
      .find(
        ({ kind, script, api }) =>
          kind === "scripted" && script === "manager" && api !== stage.manager.titleApi,
      );
    const offered = first === undefined ? [] : offeredTools(first);
    const ours = stage.manager.searchesTools === true ? "use_tool" : "ambit";
    check(
      offered.some((name) => name.includes(ours)),
      `its first request offers none of our tools: ${offered.join(", ")}`,
    );
  },
};

/** Its first request is made while it connects to MCP servers. Its search says so, and a model has to search again. */
function findTools({ searchesTools }: AgentCli): readonly Step[] {
  const search = { call: { tool: "=search_tool", arguments: { query: "ambit delegate" } } };
  return searchesTools === true ? [search, { ...search, delayMs: patience(10) * 1000 }] : [];
}

export const byDirective: Scenario = {
  name: "directive",
  about:
    "delegates by a directive in its last message, is parked and resumed in its own session with the result",
  shape: "pair",
  isFast: true,
  play: async (stage) => {
    const machine = await stage.open({
      config: `agents:\n  default: ${stage.worker.name}`,
      scripts: {
        manager: {
          turns: [
            { when: RESUMED, steps: copyPoem },
            { steps: [{ text: `${SAID}.\n\n[delegate:${TASK}:1]` }] },
          ],
        },
        worker: poet,
      },
    });
    await runToTheEnd(machine, stage);
    await checkParked(machine);
  },
};

export const byTicket: Scenario = {
  name: "ticket",
  about: "the MCP tool answers with a ticket; the manager ends its turn and is resumed in its own session",
  shape: "pair",
  play: async (stage) => {
    const order = { tasks: [{ description: TASK, agent: stage.worker.name }], wait_seconds: 0 };
    const machine = await stage.open({
      scripts: {
        manager: {
          turns: [
            { when: RESUMED, steps: copyPoem },
            { steps: [{ delegate: order }, { text: `${SAID} and wait.` }] },
          ],
        },
        worker: poet,
      },
    });
    await runToTheEnd(machine, stage);
    await checkParked(machine);
  },
};

/** A plain program as the worker: what is tried here is the way the manager asks. */
const HELPER = [
  "adapter: command",
  "command:",
  "  - sh",
  "  - -c",
  `  - 'printf "roses are red\\n" > poem.txt; printf "{\\"status\\":\\"completed\\",\\"summary\\":\\"Wrote it.\\",\\"artifacts\\":[],\\"metadata\\":%s}" "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"'`,
].join("\n");

export const byShell: Scenario = {
  name: "shell",
  about: "delegates by the command ambit delegate in its own shell",
  shape: "alone",
  forGeneric: true,
  play: async ({ manager, open, tell }) => {
    const machine = await open({
      agents: { helper: HELPER },
      scripts: {
        manager: [
          {
            sh: "ambit delegate 'Write the poem' --agent helper --wait 60 > answer.txt 2>&1; cat answer.txt",
          },
          ...copyPoem,
        ],
      },
    });
    const run = await machine.json("run", "Make a book @@S:manager", "--agent", manager.name, "--id", STORY);
    checkCompleted(machine, run, bothFiles);
    same(
      await agentsOf(machine, STORY),
      [`${manager.name} completed`, "helper completed"],
      "agents and how they ended",
    );
    tell("in its shell");
    await checkNothingRuns(machine);
  },
};

async function runToTheEnd(machine: Machine, { manager, worker, tell }: Stage): Promise<void> {
  const run = await machine.json("run", "Make a book @@S:manager", "--agent", manager.name, "--id", STORY);
  checkCompleted(machine, run, bothFiles);
  const expected = [`${manager.name} completed`, `${worker.name} completed`];
  same(await agentsOf(machine, STORY), expected, "agents and how they ended");
  const apis = (script: string, { titleApi }: AgentCli): string[] => {
    const asked = machine.requests().filter((request) => request.script === script);
    return [...new Set(asked.map(({ api = "" }) => api))].filter((api) => api !== titleApi);
  };
  same(apis("manager", manager), [manager.api], "the manager's requests");
  same(apis("worker", worker), [worker.api], "the worker's requests");
  tell(`leads ${worker.name}`);
  await checkNothingRuns(machine);
}

/** No process of the manager while its worker worked, and one session before and after. */
async function checkParked(machine: Machine): Promise<void> {
  const events = await eventsOf(machine, STORY);
  const at = (type: string, own: boolean): number =>
    events.findIndex((event) => event.type === type && (event.delegation === STORY) === own);
  check(at("delegation-parked", true) >= 0, "the manager was never parked");
  check(
    at("delegation-resumed", true) > at("delegation-closed", false),
    "it was resumed before its worker ended",
  );
  await checkSameSession(machine, STORY, SAID);
}
