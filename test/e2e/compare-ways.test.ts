import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";

let project: Project;
beforeEach(() => {
  project = makeProject({ AMBIT_IDLE_MS: "20000" });
  const script = join(dirname(project.root), "agent.yaml");
  const spend = "- spend: {input: 500, output: 10, usd: 0.25}\n";
  const done = "- return: {status: completed, summary: 'Did it. It works.'}\n";
  project.write("../agent.yaml", `- write: {path: b.txt, text: done}\n${spend}${done}`);
  project.write(".ambit/agents/helper.md", `---\nadapter: scripted\ncommand: [${script}]\n---\nWork.\n`);
  project.write(
    ".ambit/templates/careful.md",
    "---\ntitle: Careful\nsummary: Think first\n---\nThink before you write.\n",
  );
  project.write("ambit.yaml", "agents:\n  default: helper\n");
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "ways");
});
afterEach(() => project.remove());

const check = ["--check", "test -f b.txt"];

interface Way {
  readonly template: string | null;
  readonly stories: number;
  readonly proof_rate: number;
  readonly avg_cost_usd: number;
}

async function readComparisons(): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await project.ambit("template", "compare", "--json");
  return JSON.parse(stdout).comparisons;
}

it("assigns stories to ways by chance, evenly, and compares proof, cost and time (R185)", async () => {
  for (const id of ["W1", "W2", "W3", "W4"]) {
    const run = await project.ambit("run", "Do it", "--id", id, "--template", "careful,none", ...check);
    expect([run.status, run.stderr]).toEqual([0, expect.stringContaining("(of careful, none)")]);
  }
  // A story for which the person chose the way does not take part.
  await project.ambit("run", "Do it", "--id", "W5", "--template", "careful", ...check);
  const [comparison, ...others] = await readComparisons();
  expect(others).toEqual([]);
  const interval = { low: expect.any(Number), high: expect.any(Number) };
  const way = {
    stories: 2,
    ended: 2,
    completed: 2,
    proof_rate: 1,
    proof_interval: { low: expect.closeTo(0.3424, 3), high: 1 },
    avg_cost_usd: 0.25,
    cost_interval_usd: { low: 0.25, high: 0.25 },
    duration_interval_ms: interval,
  };
  expect(comparison).toMatchObject({
    ways: ["careful", "none"],
    stories: 4,
    results: [
      { template: "careful", ...way },
      { template: null, ...way },
    ],
    differences: [{ way: "none", than: "careful", proof_rate: { value: 0, is_clear: false } }],
  });
  const { stdout } = await project.ambit("template", "compare");
  expect(stdout).toContain("Assigned at random among careful, none: 4 stories");
  expect(stdout).toMatch(/careful +2 +100 % \(34 % to 100 %\) +\$0\.25/);
});

it("lets the project's settings assign ordinary stories, and refuses ways that do not exist (R185)", async () => {
  project.write("ambit.yaml", "agents:\n  default: helper\ndelegation:\n  ways: [none, careful]\n");
  for (const id of ["X1", "X2"]) await project.ambit("run", "Do it", "--id", id);
  const [comparison] = await readComparisons();
  const counts = (results: readonly Way[]): readonly number[] => results.map(({ stories }) => stories);
  expect(comparison).toMatchObject({ ways: ["none", "careful"], stories: 2 });
  expect(counts(JSON.parse(JSON.stringify(comparison?.["results"])))).toEqual([1, 1]);
  const refused = await project.ambit("run", "Do it", "--template", "careful,unknown");
  expect(refused.stderr).toContain("TEMPLATE_NOT_FOUND");
});
