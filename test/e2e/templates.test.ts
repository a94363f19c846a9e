import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, userState, type Project } from "./project.ts";

let project: Project;

/** Writes its task into a file and returns. The word "break" makes it fail. */
const WORKER = `cat > prompt.tmp
name=$(head -n 1 prompt.tmp | tr -cd 'a-z')
mv prompt.tmp "said-$name.txt"
case "$name" in *break*) exit 1 ;; esac
printf '{"status":"completed","summary":"Wrote one file. It is there.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"
`;

function template(parts: readonly string[]): string {
  return ["---", "title: Release", "summary: Each release", "parts:", ...parts, "---", ""].join("\n");
}

beforeAll(() => {
  project = makeProject();
  project.write("worker.sh", WORKER);
  project.write(".ambit/agents/worker.md", '---\nadapter: command\ncommand: ["sh", "worker.sh"]\n---\n');
  const proven = 'accept: ["file a.txt exists"]';
  project.write(
    ".ambit/templates/release.md",
    template([
      `  - {name: notes, description: "notes for {story}", hours: 2, ${proven}}`,
      `  - {name: bump, description: bump, hours: 3, ${proven}}`,
      `  - {name: last, description: last, hours: 3, after: [notes, bump], ${proven}}`,
    ]),
  );
  project.write(
    ".ambit/templates/broken.yaml",
    `title: Broken\nsummary: One fails\nparts:\n  - {description: good, ${proven}}\n  - {description: break, ${proven}}\n`,
  );
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "templates");
});

afterAll(() => project.remove());

it("predicts the effect of dividing and starts nothing with --dry-run (R195, R183)", async () => {
  const before = userState(project);
  const document = await project.json("run", "v2", "--template", "release", "--agent", "worker", "--dry-run");
  expect(document).toMatchObject({
    dry_run: true,
    template: "release",
    prediction: {
      origin: "template",
      workers: { least: 3, most: 3 },
      at_once: 2,
      chain: 2,
      sequential: false,
      hours: { work: 8, elapsed: 6 },
      advice: "split",
      depth: { advised: 1 },
    },
  });
  expect(existsSync(join(project.root, ".git/ambit"))).toBe(false);
  expect(userState(project)).toEqual(before);
});

it("delegates the named parts of a template itself, in their order (R181, R191)", async () => {
  const words = ["run", "v2", "--template", "release", "--agent", "worker", "--accept", "file a.txt exists"];
  const { status, stderr, stdout } = await project.ambit(...words, "--id", "T1");
  expect(stdout).toContain("All 3 parts are completed");
  expect(status).toBe(0);
  expect(stderr).toContain("expected: 3 workers, 2 at once, 2 in a row");
  const files = project.git("ls-tree", "--name-only", "ambit/T1").split("\n");
  expect(files).toEqual(expect.arrayContaining(["said-notesforv.txt", "said-bump.txt", "said-last.txt"]));
  const { ways } = await project.json("template", "compare");
  expect(ways).toEqual([expect.objectContaining({ template: "release", completed: 1, avg_workers: 3 })]);
});

it("says which part of a template failed, and does not report success (R191)", async () => {
  const words = ["run", "v3", "--template", "broken", "--agent", "worker", "--accept", "file a.txt exists"];
  const document = await project.json(...words, "--id", "T2");
  expect(document["outcome"]).toBe("partial");
  expect(document["summary"]).toContain("1 of 2 parts");
});

it("tells the manager how to divide the work if the template leaves the choice (R8)", async () => {
  const words = ["run", "profile", "--template", "front-back", "--agent", "worker"];
  const { stderr } = await project.ambit(...words, "--accept", "file a.txt exists", "--id", "T3");
  expect(stderr).toContain("expected: 2 to 4 workers");
  const prompt = project.git("show", "ambit/T3:said-profile.txt");
  expect(prompt).toContain('the template "front-back"');
  expect(prompt).toContain("[delegate:Profile image upload and storage:4]");
});

it("refuses impossible input, with advice (R69)", async () => {
  const unknown = await project.json("run", "x", "--template", "nobody", "--agent", "worker");
  expect(unknown["error"]).toMatchObject({ code: "TEMPLATE_NOT_FOUND" });
  const program = await project.ambit("--json", "run", "x", "--template", "release", "--", "true");
  expect(JSON.parse(program.stdout).error).toMatchObject({ code: "USAGE" });
  const nobody = await project.json("run", "x", "--template", "release");
  expect(nobody["error"]).toMatchObject({ recommendation: expect.stringContaining("--agent") });
});
