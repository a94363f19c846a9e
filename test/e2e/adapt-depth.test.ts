import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";

let project: Project;
beforeEach(() => {
  project = makeProject({ AMBIT_IDLE_MS: "20000" });
});
afterEach(() => project.remove());

const completed = "- return: {status: completed, summary: 'Did it. It works.'}\n";
const failed =
  "- return: {status: failed, summary: 'Could not do it.', errors: [{type: execution, code: BUILD_ERROR, message: 'No compiler.', recoverable: true, recommendation: 'Install one.'}]}\n";

/** Hands out parts in its first turn and completes, whatever their outcome is. */
function handOut(count: number, agent: string): string {
  const tasks = Array.from({ length: count }, (_, index) => ({ description: `Part ${index + 1}`, agent }));
  const run = ["ambit", "delegate", "--tasks", JSON.stringify(tasks), "--wait", "0"];
  return `begin:\n  - run: ${JSON.stringify(run)}\nresults:\n  ${completed}`;
}

/** A story has one worker, which has five workers of the agent `deep`. */
function prepare(deep: string): string {
  const scripts = { middle: handOut(5, "deep"), deep };
  for (const [name, text] of Object.entries(scripts)) {
    const script = join(dirname(project.root), `${name}.yaml`);
    project.write(join("..", `${name}.yaml`), text);
    project.write(`.ambit/agents/${name}.md`, `---\nadapter: scripted\ncommand: [${script}]\n---\nWork.\n`);
  }
  project.write("../story.yaml", handOut(1, "middle"));
  project.write("ambit.yaml", "delegation:\n  windDown: {graceSeconds: 1}\n");
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "agents");
  return join(dirname(project.root), "story.yaml");
}

interface Limit {
  readonly limit: string;
  readonly allowed: string;
  readonly origin: string;
}

async function findDepth(id: string): Promise<Limit | undefined> {
  const { stdout } = await project.ambit("explain", id, "--json");
  const { limits }: { readonly limits: readonly Limit[] } = JSON.parse(stdout);
  return limits.find(({ limit }) => limit === "depth");
}

/** Runs a story without parts, which is enough to see its limits. */
async function beginStory(id: string, ...words: string[]): Promise<string> {
  project.write("../alone.yaml", completed);
  const script = join(dirname(project.root), "alone.yaml");
  return (await project.ambit("run", "Do it", "--id", id, "--script", script, ...words)).stderr;
}

const previewDepth = async (): Promise<unknown> =>
  (await project.json("run", "Do it", "--dry-run", "--agent", "middle"))["limits"];

it("lowers the depth of a story after workers of that depth failed, and says why (R183)", async () => {
  const script = prepare(failed);
  await project.ambit("run", "Divide it", "--id", "A1", "--script", script);
  expect(await findDepth("A1")).toMatchObject({ allowed: "2", origin: "default" });
  const reason = "at depth 2 only 0 of 5 workers completed, at depth 1 1 of 1 workers";
  const told = `The depth of this story is 1 instead of 2: ${reason}`;
  expect(await beginStory("A2")).toContain(told);
  expect(await findDepth("A2")).toMatchObject({ allowed: "1", origin: `adapted, ${reason}` });
  expect((await project.ambit("audit", "A2", "--json")).stdout).toContain(told);
  expect(await previewDepth()).toMatchObject({ max_depth: 1 });
  // The flag of one story and the setting win.
  await beginStory("A3", "--depth", "2");
  expect(await findDepth("A3")).toMatchObject({ allowed: "2", origin: "--depth" });
  project.write("ambit.yaml", "delegation:\n  adaptDepth: off\n");
  expect(await previewDepth()).toMatchObject({ max_depth: 2 });
});

it("raises the depth of a story where that is allowed, after deep workers completed and asked for more (R183)", async () => {
  const asked = ["sh", "-c", "ambit delegate 'A part of it' --agent middle --wait 0 || true"];
  const script = prepare(`- run: ${JSON.stringify(asked)}\n${completed}`);
  await project.ambit("run", "Divide it", "--id", "B1", "--script", script);
  expect(await previewDepth()).toMatchObject({ max_depth: 2 });
  project.write("ambit.yaml", "delegation:\n  adaptDepth: both\n");
  await beginStory("B2");
  expect(await findDepth("B2")).toMatchObject({
    allowed: "3",
    origin: expect.stringMatching(/^adapted, at depth 2 5 of 5 workers completed, and \d+ deeper requests/),
  });
});
