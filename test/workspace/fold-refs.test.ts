import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { foldRefs } from "../../src/workspace/fold-refs.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { makeProject, type Project } from "../e2e/project.ts";

const done = `printf '{"status":"completed","summary":"Done. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;
const agent = (line: string): string =>
  `---\nadapter: command\ncommand: ${JSON.stringify(["sh", "-c", line])}\n---\n`;

/** A manager that hands out three parts: one is merged, one changes nothing, one fails with a file. */
function makeManaged(): Project {
  const project = makeProject();
  onTestFinished(() => project.remove());
  project.write(".ambit/agents/writer.md", agent(`echo w > w.txt; ${done}`));
  project.write(".ambit/agents/idler.md", agent(done));
  project.write(".ambit/agents/loser.md", agent("echo l > l.txt; exit 1"));
  const tasks = ["writer", "idler", "loser"].map((name) => ({ description: `Part of ${name}`, agent: name }));
  const hand = `[ -e handed ] || { touch handed; ambit delegate --wait 0 --tasks '${JSON.stringify(tasks)}'; exit 0; }; ${done}`;
  project.write(".ambit/agents/lead.md", agent(hand));
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "agents");
  return project;
}

describe("refs of ended workers", () => {
  it("are folded into one ref of their story if its branch contains their work, and stay otherwise", async () => {
    const project = makeManaged();
    await project.ambit("run", "All", "--id", "F1", "--agent", "lead");
    await project.ambit("supervisor", "stop");
    const refs = project.git("for-each-ref", "--format=%(refname)", "refs/ambit").trim().split("\n");
    const ofWorkers = refs.filter((ref) => ref.includes("F1-DEL-"));
    expect(ofWorkers).toEqual(["refs/ambit/base/F1-DEL-003", "refs/ambit/work/F1-DEL-003"]);
    expect(refs).toContain("refs/ambit/work/F1");
    const blob = project.git("rev-parse", "ambit/F1:w.txt").trim();
    project.git("branch", "-D", "ambit/F1");
    project.git("reflog", "expire", "--expire=now", "--all");
    project.git("gc", "--prune=now", "--quiet");
    expect(project.git("cat-file", "-p", blob)).toBe("w\n");
    expect(project.git("show", "refs/ambit/work/F1-DEL-003:l.txt")).toBe("l\n");
    expect((await project.ambit("diff", "F1-DEL-001")).stdout).toContain("w.txt");
    expect((await project.ambit("doctor")).status).toBe(0);
  });
});

const WORKERS = 20;
const START_SECONDS = 1_700_000_000;

/** Each merge has the time at which its worker was admitted, which is before the time of the work that it brings. */
function mergeWorkers(project: Project, names: readonly string[]): void {
  const base = project.git("rev-parse", "main").trim();
  const tree = project.git("rev-parse", "main^{tree}").trim();
  const commit = (parents: readonly string[], seconds: number): string => {
    const person = `U <u@example.org> ${START_SECONDS + seconds} +0000`;
    const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${person}`];
    const file = "../commit";
    project.write(file, `${[...lines, `committer ${person}`, "", "x"].join("\n")}\n`);
    return project.git("hash-object", "-t", "commit", "-w", file).trim();
  };
  let tip = base;
  for (const [index, name] of names.entries()) {
    const work = commit([base], 100 + index);
    project.git("update-ref", `refs/ambit/base/${name}`, base);
    project.git("update-ref", `refs/ambit/work/${name}`, work);
    tip = commit([tip, work], 1);
  }
  project.git("update-ref", "refs/heads/ambit/F1", tip);
}

it("refs of ended workers are folded although merges have earlier times than the work they bring", async () => {
  const project = makeProject();
  onTestFinished(() => project.remove());
  const workers = Array.from({ length: WORKERS }, (_, index) => `F1-DEL-${index + 101}`);
  mergeWorkers(project, workers);
  project.git("update-ref", "refs/ambit/base/F1-DEL-200", "main");
  project.git(
    "update-ref",
    "refs/ambit/work/F1-DEL-200",
    project.git("commit-tree", "main^{tree}", "-m", "y").trim(),
  );
  const home = join(project.root, "../home");
  const repository = await openRepository(project.root, { searchPath: process.env["PATH"] ?? "", home });
  expect(await foldRefs(repository, { story: "F1", workers: [...workers, "F1-DEL-200"] })).toBe(2 * WORKERS);
  expect(project.git("for-each-ref", "--format=%(refname)", "refs/ambit").trim().split("\n")).toEqual([
    "refs/ambit/base/F1-DEL-200",
    expect.stringMatching(/^refs\/ambit\/kept\//),
    "refs/ambit/work/F1-DEL-200",
  ]);
});
