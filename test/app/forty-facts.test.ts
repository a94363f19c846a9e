import { dirname } from "node:path";
import { expect } from "vitest";
import { statusUseCase, type StatusEntry } from "../../src/app/status.ts";
import type { StoryDocument, TreeNode } from "../../src/app/view-types.ts";
import { toKnownUsd } from "../../src/base/money.ts";
import { serveProject } from "../dashboard/served-project.ts";
import { until } from "../e2e/project.ts";
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
  runtime.agent("second", [spend(0.5), write("second.txt", "2"), done()]);
  runtime.agent("broken", [returns("failed", "It cannot be done.", because("No way"))]);
  runtime.agent("busy", [spend(0.1), ...heldSteps(runtime, "busy"), done()]);
  runtime.agent("later", [done()]);
  const held = await holdManager(runtime, "F1", { after: [done()] });
  const client = rawClient(held.environment);
  await client.initialize("2025-11-25");
  for (const agent of ["first", "second", "broken"])
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
    ["F1-DEL-002", "completed"],
    ["F1-DEL-003", "failed"],
    ["F1-DEL-004", "running"],
    ["F1-DEL-005", "pending"],
  ]);
  for (const answer of Object.values(others)) expect(answer).toStrictEqual(commandLine);
  client.endInput();
  runtime.open(runtime.signal("busy-go"));
  await held.release();
});

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
