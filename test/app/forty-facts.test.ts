import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { ProjectViews } from "../../src/app/project-views.ts";
import { treeUseCase } from "../../src/app/tree.ts";
import { statusUseCase, type StatusEntry } from "../../src/app/status.ts";
import type { StoryDocument, TreeNode } from "../../src/app/view-types.ts";
import { toKnownUsd } from "../../src/base/money.ts";
import { serveProject } from "../dashboard/served-project.ts";
import { ageLogs } from "../dashboard/walk/scenes.ts";
import { makeProject, until, type Project } from "../e2e/project.ts";
import { heldSteps, holdManager, speakFor } from "../mcp/held-worker.ts";
import { rawClient } from "../mcp/raw-client.ts";
import { it } from "../orchestrator/open-runtime.ts";
import { because, done, returns, spend, write } from "../orchestrator/steps.ts";
import { makeContext } from "./make-context.ts";

/** Eight facts about one worker. */
interface Facts {
  readonly id: unknown;
  readonly title: unknown;
  readonly depth: unknown;
  readonly status: unknown;
  readonly code: unknown;
  readonly agent: unknown;
  readonly attempt: unknown;
  readonly cost: unknown;
}

it("status --json, MCP look, the dashboard and the library agree on forty facts about five workers", async ({
  open,
}) => {
  const runtime = await open();
  runtime.agent("first", [spend(0.25), write("first.txt", "1"), done()]);
  runtime.agent("stuck", [spend(0.5), returns("blocked", "It needs a key.", because("No key"))]);
  runtime.agent("broken", [returns("failed", "It cannot be done.", because("No way"))]);
  runtime.agent("busy", [spend(0.1), ...heldSteps(runtime, "busy"), done()]);
  runtime.agent("later", [done()]);
  const held = await holdManager(runtime, "F1", { after: [done()] });
  const client = rawClient(held.environment);
  await client.initialize("2025-11-25");
  for (const agent of ["first", "stuck", "broken"])
    await client.call("delegate", { tasks: [{ description: `Do ${agent}`, agent }] });
  const open2 = [
    { description: "Do busy", agent: "busy" },
    { description: "Do later", agent: "later", depends_on: ["#1"] },
  ];
  await client.call("delegate", { tasks: open2, wait_seconds: 0 });
  const busy = await speakFor(runtime, "busy", { id: "F1-DEL-004", story: "F1" });
  await until("its use is booked", async () => (await runtime.read(busy.id)).microUsd > 0);

  const served = await serveProject(runtime.project.root);
  const context = makeContext(runtime.project.root, { homeDirectory: dirname(runtime.project.root) });
  const answers = {
    commandLine: readStatus(await runtime.project.json("status", "F1")),
    library: readStatus(await statusUseCase.run(context, { story: "F1" })),
    mcp: readTree(await client.call("look", { what: "tree" })),
    dashboard: readDocument(await served.read<StoryDocument>("/api/runs/F1")),
  };
  const { commandLine, ...others } = answers;
  expect(commandLine.flatMap((facts) => Object.values(facts))).toHaveLength(40);
  expect(commandLine.map(({ id, status }) => [id, status])).toStrictEqual([
    ["F1-DEL-001", "completed"],
    ["F1-DEL-002", "blocked"],
    ["F1-DEL-003", "failed"],
    ["F1-DEL-004", "running"],
    ["F1-DEL-005", "pending"],
  ]);
  for (const answer of Object.values(others)) expect(answer).toStrictEqual(commandLine);
  client.endInput();
  runtime.open(runtime.signal("busy-go"));
  await held.release();
});

it("the command line, the library and the dashboard report a silent worker, and with MCP that no process drives the work", async () => {
  const scene = await openQuietStory();
  onTestFinished(() => scene.project.remove());
  const { project, worker } = scene;
  ageLogs(project);
  const context = makeContext(project.root, { homeDirectory: dirname(project.root) });
  const views = new ProjectViews({ context, tasksDir: "specs" });
  onTestFinished(() => views.close());
  const isInterruptedByMcp = async (): Promise<boolean> => {
    const client = rawClient({ HOME: dirname(project.root) }, project.root);
    await client.initialize("2025-11-25");
    const { interrupted } = await client.call("look", { what: "status" });
    client.endInput();
    await client.exited;
    return interrupted === true;
  };
  const readAll = async () => ({
    commandLine: readLife(await project.json("tree", "Q1"), await project.json("status", "Q1")),
    library: readLife(
      await treeUseCase.run(context, { story: "Q1" }),
      await statusUseCase.run(context, { story: "Q1" }),
    ),
    dashboard: await readDashboardLife(views),
  });
  const alive = { silent: [worker], isInterrupted: false };
  expect(await readAll()).toStrictEqual({ commandLine: alive, library: alive, dashboard: alive });
  expect(await isInterruptedByMcp()).toBe(false);
  process.kill(await project.supervisorPid(), "SIGKILL");
  await until("the dashboard says so", async () => (await readDashboardLife(views)).isInterrupted);
  const dead = { silent: [worker], isInterrupted: true };
  expect(await readAll()).toStrictEqual({ commandLine: dead, library: dead, dashboard: dead });
  expect(await isInterruptedByMcp()).toBe(true);
});

interface Life {
  readonly silent: readonly string[];
  readonly isInterrupted: boolean;
}

/** A manager that waits for a worker that writes one line and then nothing. */
async function openQuietStory(): Promise<{ readonly project: Project; readonly worker: string }> {
  const project = makeProject();
  const begun = join(project.root, "..", "begun");
  const tasks = JSON.stringify([{ description: "Say nothing", agent: "quiet" }]);
  project.write(
    "../manager.yaml",
    `begin:\n  - run: [ambit, delegate, --wait, "0", --tasks, '${tasks}']\nresults: []\n`,
  );
  project.write(
    ".ambit/agents/quiet.md",
    `---\nname: quiet\nadapter: command\ncommand: [sh, -c, "echo I begin; touch ${begun}; exec sleep 3600"]\n---\n`,
  );
  project.git("add", ".ambit/agents");
  project.git("commit", "--quiet", "-m", "agents");
  const script = join(project.root, "..", "manager.yaml");
  const run = await project.ambit("run", "Wait", "--id", "Q1", "--script", script, "--detach");
  if (run.status !== 0) throw new Error(run.stderr);
  await until("the worker runs", () => existsSync(begun));
  return { project, worker: "Q1-DEL-001" };
}

async function readDashboardLife(views: ProjectViews): Promise<Life> {
  const nowMs = views.nowMs();
  const outputs = await views.readOutputs("Q1");
  const silent = outputs.filter(({ atMs, silentAfterMs }) => nowMs - atMs >= silentAfterMs);
  return {
    silent: silent.map(({ id }) => id).filter((id) => id !== "Q1"),
    isInterrupted: !views.isSupervised(),
  };
}

/** The tree and the status of a story must agree whether its work is interrupted. */
function readLife(tree: Readonly<Record<string, unknown>>, status: Readonly<Record<string, unknown>>): Life {
  const { working, interrupted } = statusUseCase.output().parse(status);
  const silent = working.filter(({ silent_seconds: seconds }) => seconds !== undefined);
  expect(tree["interrupted"]).toBe(interrupted);
  return { silent: silent.map(({ id }) => id), isInterrupted: interrupted === true };
}

type Entry = Pick<StatusEntry, "agent" | "attempt" | "code" | "cost_usd" | "depth" | "id" | "status"> & {
  readonly description?: unknown;
  readonly title?: unknown;
};

function sortFacts(facts: readonly Facts[]): readonly Facts[] {
  return facts.toSorted((one, other) => String(one.id).localeCompare(String(other.id)));
}

function readEntry({ id, depth, status, code, agent, attempt, cost_usd: cost, ...more }: Entry): Facts {
  return { id, title: more.description ?? more.title, depth, status, code, agent, attempt, cost };
}

function readStatus(answer: Readonly<Record<string, unknown>>): readonly Facts[] {
  const groups = ["needs_you", "working", "queued", "done"].map((name) => answer[name]);
  return sortFacts(groups.flatMap((group) => statusUseCase.output().shape.done.parse(group).map(readEntry)));
}

function readTree({ tree }: Readonly<Record<string, unknown>>): readonly Facts[] {
  const children: unknown = typeof tree === "object" && tree !== null && "children" in tree && tree.children;
  if (!Array.isArray(children)) throw new TypeError("the tree has no workers");
  return sortFacts(children.map((child: Entry) => readEntry(child)));
}

function readDocument({ nodes }: StoryDocument): readonly Facts[] {
  return sortFacts(nodes.filter(({ depth }) => depth > 0).map(readNode));
}

const openStates: Readonly<Record<string, string>> = { queued: "pending", running: "running" };

function readNode({ id, title, depth, state, code, agent, attempt, microUsd }: TreeNode): Facts {
  const status = openStates[state] ?? state;
  return { id, title, depth, status, code, agent, attempt, cost: toKnownUsd(microUsd) };
}
