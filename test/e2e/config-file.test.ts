import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";

let project: Project;
let outside: string;

/** A named file and the project's own settings, which differ in everything that a run depends on. */
const settings = (way: string, more = ""): string => `
agents:
  default: ${way}
workspace:
  setup: echo ${way} > prepared.txt
  env:
    set:
      WAY: ${way}
verification:
  test: echo "$(cat prepared.txt) $WAY" >> ${join(outside, `${way}.checks`)}
  base: ${way === "slow"}
${more}`;

beforeEach(() => {
  project = makeProject({ AMBIT_IDLE_MS: "20000" });
  outside = dirname(project.root);
  for (const way of ["slow", "fast"]) {
    const script = join(outside, `${way}-agent.yaml`);
    project.write(
      join("..", `${way}-agent.yaml`),
      `- write: {path: by.txt, text: "${way}\\n"}\n- return: {status: completed, summary: 'Did it. It works.'}\n`,
    );
    project.write(`.ambit/agents/${way}.md`, `---\nadapter: scripted\ncommand: [${script}]\n---\nWork.\n`);
  }
  const handsOut =
    "begin:\n  - delegate: [{description: Do the part, hours: 3}]\nresults:\n  - return: {status: completed, summary: 'Did it. It works.'}\n";
  project.write("../hands-out.yaml", handsOut);
  project.write("../own-work.yaml", "- return: {status: completed, summary: 'Did it. It works.'}\n");
  project.write(".gitignore", "prepared.txt\n");
  project.write("ambit.yaml", settings("slow", "tasks:\n  dir: notes\n"));
  project.write("ci/fast.yaml", settings("fast", "delegation:\n  maxDepth: 1\n"));
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "two ways");
});
afterEach(() => project.remove());

async function runStory(id: string, ...words: string[]): Promise<void> {
  const script = join(outside, "hands-out.yaml");
  const { status, stderr } = await project.ambit("run", "Do it", "--id", id, "--script", script, ...words);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("error")]);
}

interface Event {
  readonly type: string;
  readonly data: {
    readonly check?: string;
    readonly on?: string;
    readonly settings?: readonly { readonly name: string; readonly origin: string }[];
  };
}

async function listEvents(id: string): Promise<readonly Event[]> {
  const { stdout } = await project.ambit("audit", id, "--limit", "2000", "--json");
  return JSON.parse(stdout).events;
}

/** Whether each check, each setup and each agent of a story ran by the named file (fast) or by the project's own settings (slow). */
async function findWays(id: string): Promise<Readonly<Record<string, unknown>>> {
  const events = await listEvents(id);
  const checks = events.filter(({ type }) => type === "check-ended");
  const ways = checks.map(({ data }) => (data.check?.includes("fast.checks") === true ? "fast" : "slow"));
  const kept = events.find(({ type }) => type === "story-opened")?.data.settings ?? [];
  return {
    agent: project.git("show", `ambit/${id}:by.txt`).trim(),
    checks: [...new Set(ways)],
    isBaseChecked: checks.some(({ data }) => data.on === "base"),
    setup: kept.find(({ name }) => name === "workspace.setup")?.origin,
  };
}

const readChecks = (way: string): readonly string[] => [
  ...new Set(
    readFileSync(join(outside, `${way}.checks`), "utf8")
      .trim()
      .split("\n"),
  ),
];

it("gives a story the setup, checks, agents and variables of its --config, and no other story (R108, R114)", async () => {
  await runStory("S1");
  const pid = await project.supervisorPid();
  await runStory("S2", "--config", "ci/fast.yaml");
  await runStory("S3");
  expect(await project.supervisorPid()).toBe(pid);
  const slow = { agent: "slow", checks: ["slow"], isBaseChecked: true, setup: "ambit.yaml:5" };
  expect(await findWays("S1")).toEqual(slow);
  const file = join(project.root, "ci/fast.yaml");
  expect(await findWays("S2")).toEqual({
    agent: "fast",
    checks: ["fast"],
    isBaseChecked: false,
    setup: `${file}:5`,
  });
  expect(await findWays("S3")).toEqual(slow);
  expect([readChecks("slow"), readChecks("fast")]).toEqual([["slow slow"], ["fast fast"]]);
});

it("settles the task of a story in the folder that its --config names (R108)", async () => {
  project.write("ci/fast.yaml", settings("fast", "tasks:\n  dir: fast-notes\n"));
  const named = ["--config", "ci/fast.yaml"];
  await project.ambit("task", "add", "Do it", ...named);
  const script = join(outside, "own-work.yaml");
  expect((await project.ambit("run", "1", "--script", script, ...named)).status).toBe(0);
  const { stdout } = await project.ambit("task", "show", "1", "--json", ...named);
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
  expect(existsSync(join(project.root, "notes"))).toBe(false);
});
