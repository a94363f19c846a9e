import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, userState, type Project } from "./project.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

const writer = (name: string): readonly string[] => [
  "sh",
  "-c",
  `echo x > ${name}.txt; printf '{"status":"completed","summary":"Wrote it. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`,
];
const stories = [
  {
    id: "US-002",
    title: "Second",
    acceptanceCriteria: ["file made.txt exists"],
    priority: 2,
    delegationConfig: { maxDepth: 0 },
  },
  { id: "US-001", title: "First", acceptanceCriteria: ["`test -s made.txt` passes"], priority: 1 },
  { id: "US-003", title: "Done before", priority: 3, passes: true },
];

describe("a PRD file", () => {
  it("runs its stories by priority, each with its criteria and limits, and gets their passes (R78, R132)", async () => {
    const asked = JSON.stringify({ project: "p", description: "All of it", userStories: stories });
    project.write("prd.json", asked);
    const before = userState(project);
    const run = await project.ambit("run", "prd.json", "--json", "--", ...writer("made"));
    expect(JSON.parse(run.stdout)).toMatchObject({
      project: "p",
      stories: [
        { id: "US-001", outcome: "completed" },
        { id: "US-002", outcome: "completed" },
        { id: "US-003", outcome: "passes" },
      ],
    });
    expect(run.status).toBe(0);
    expect(project.git("show", "ambit/US-001:made.txt")).toBe("x\n");
    // Only `passes` was written; the person's other files have not changed.
    const text = readFileSync(join(project.root, "prd.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      userStories: [{ passes: true }, { passes: true }, { passes: true }],
    });
    project.write("prd.json", asked);
    expect(userState(project)).toEqual(before);
    project.write("prd.json", text);
    const prompt = readFileSync(join(project.root, ".git/ambit/logs/US-002/attempt-1/prompt.md"), "utf8");
    expect(prompt).toContain("All of it");
    expect(prompt).toContain("file made.txt exists");
    const prd = readFileSync(join(project.root, ".git/ambit/logs/US-002/attempt-1/prd.json"), "utf8");
    expect(JSON.parse(prd)).toMatchObject({
      branchName: "delegation/US-002",
      userStories: [{ id: "US-002", acceptanceCriteria: ["file made.txt exists"], passes: false }],
      metadata: { delegationDepth: 0 },
    });
    // Completed stories are not run again.
    const again = await project.ambit("run", "prd.json", "--json", "--", ...writer("made"));
    expect(JSON.parse(again.stdout)["stories"].map((story: { outcome: string }) => story.outcome)).toEqual([
      "passes",
      "passes",
      "passes",
    ]);
  });

  it("is a loop over one branch: a failed story stops only its dependants, and a second run continues (R78, R84, R132)", async () => {
    const script = join(project.root, "..", "work.sh");
    project.write(
      "../work.sh",
      String.raw`id=$(sed -n 's/.*Write \([a-z]*\).*/\1/p' | head -1); ls *.txt | tr '\n' ' ' > ${script}-$id; [ $id = bad ] || echo $id > $id.txt
printf '{"status":"completed","summary":"Wrote it.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`,
    );
    const story = (id: string, name: string, more: object) => ({
      id,
      title: `Write ${name}`,
      acceptanceCriteria: [`file ${name}.txt exists`],
      ...more,
    });
    const prd = {
      project: "p",
      branchName: "feature/loop",
      metadata: { delegationDepth: 1 },
      userStories: [
        story("US-2", "two", { priority: "critical", dependencies: ["US-1"], suggestedModel: "opus" }),
        story("US-1", "one", { priority: "low", estimatedComplexity: "high" }),
        story("US-3", "bad", { priority: 1, delegationStrategy: "swarm" }),
        story("US-4", "four", { dependencies: ["US-3"] }),
      ],
    };
    project.write("prd.json", `${JSON.stringify(prd, null, 2)}\n`);
    // A supervisor runs already, started by a command with other settings.
    await project.ambit("run", "Nothing", "--id", "Z1", "--depth", "0", "--", "true");
    const dry = await project.ambit("run", "prd.json", "--dry-run", "--json", "--", "sh", script);
    expect(JSON.parse(dry.stdout).stories).toMatchObject([
      { id: "US-3", outcome: "planned", starts_from: null, prediction: { advice: expect.any(String) } },
      { id: "US-4", outcome: "planned", starts_from: "US-3" },
      { id: "US-1", outcome: "planned", starts_from: "US-4" },
      { id: "US-2", outcome: "planned", starts_from: "US-1" },
    ]);
    const first = await project.ambit("run", "prd.json", "--", "sh", script);
    expect(first.status).toBe(3);
    expect(first.stderr).toContain("US-2: suggestedModel opus is not used: a program does the work");
    expect(first.stderr).toContain("US-3: delegationStrategy swarm is not known");
    expect(first.stdout).toMatch(/skipped +US-4 +US-3 has not passed/);
    expect(readFileSync(`${script}-two`, "utf8")).toBe("a.txt one.txt ");
    expect(project.git("ls-tree", "--name-only", "feature/loop")).toContain("two.txt");
    const explained = await project.json("explain", "US-1");
    expect(explained["limits"]).toEqual(
      expect.arrayContaining([expect.objectContaining({ limit: "depth", allowed: "1" })]),
    );
    const text = readFileSync(join(project.root, "prd.json"), "utf8");
    project.write("prd.json", text.replaceAll("bad", "good"));
    const second = await project.ambit("run", "prd.json", "--json", "--", "sh", script);
    expect(JSON.parse(second.stdout)).toMatchObject({
      project: "p",
      branch: "feature/loop",
      merge: "US-4",
      stories: [
        { id: "US-3", run: "US-3.2", starts_from: "US-2", success: true, files_changed: ["good.txt"] },
        { id: "US-4", outcome: "completed", starts_from: "US-3.2", cost: 0, error: null },
        { id: "US-1", outcome: "passes" },
        { id: "US-2", outcome: "passes" },
      ],
    });
    expect((await project.ambit("merge", "US-4", "--yes")).status).toBe(0);
    expect(project.git("ls-tree", "--name-only", "main").split("\n")).toEqual(
      expect.arrayContaining(["one.txt", "two.txt", "good.txt", "four.txt"]),
    );
  });

  it("counts the stories that a merged one was built on as merged, after a squash, too (R132)", async () => {
    const userStories = ["one", "two", "three"].map((name, index) => ({
      id: `US-${index + 1}`,
      title: name,
      acceptanceCriteria: [`file ${name}.txt exists`],
    }));
    project.write("prd.json", JSON.stringify({ project: "p", userStories }));
    const script = "for n in one two three; do test -f $n.txt || { echo > $n.txt; exit; }; done";
    expect((await project.ambit("run", "prd.json", "--", "sh", "-c", script)).status).toBe(0);
    const places = async () => {
      const { stories: listed } = await project.json("list");
      return Array.isArray(listed) ? listed.map(({ id, merged }) => `${id} ${merged}`) : [];
    };
    expect((await project.ambit("merge", "US-2", "--squash", "--yes")).status).toBe(0);
    expect(await places()).toEqual(["US-3 false", "US-2 true", "US-1 true"]);
    expect((await project.ambit("merge", "US-3", "--squash", "--yes")).status).toBe(0);
    const again = await project.ambit("--json", "run", "prd.json", "--", "true");
    expect(JSON.parse(again.stdout)).toMatchObject({ branch: null, merge: null });
    expect((await project.ambit("merge", "US-3", "--undo", "--yes")).status).toBe(0);
    expect(await places()).toEqual(["US-3 false", "US-2 true", "US-1 true"]);
  });

  it("refuses stories that wait for each other, and a file of several stories in the background (R132)", async () => {
    const circle = [
      { id: "A", title: "One", dependencies: ["B"] },
      { id: "B", title: "Two", dependencies: "A" },
    ];
    project.write("prd.json", JSON.stringify({ project: "p", userStories: circle }));
    const refused = await project.ambit("run", "prd.json", "--", "true");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("A → B → A")]);
    project.write("prd.json", JSON.stringify({ project: "p", userStories: stories }));
    const detached = await project.ambit("run", "prd.json", "--detach", "--", "true");
    expect([detached.status, detached.stderr]).toEqual([2, expect.stringContaining("Drop --detach")]);
  });

  it("calls its branch proven only if a check ran for each of its stories (R79, R132)", async () => {
    const userStories = [
      { id: "US-1", title: "One", acceptanceCriteria: ["file made.txt exists"] },
      { id: "US-2", title: "Two" },
    ];
    project.write("prd.json", JSON.stringify({ project: "p", userStories: userStories.slice(0, 1) }));
    const proven = await project.ambit("run", "prd.json", "--", ...writer("made"));
    expect(proven.stdout).toContain("  proven   branch ");
    project.write("prd.json", JSON.stringify({ project: "p", userStories }));
    const open = await project.ambit("run", "prd.json", "--", ...writer("other"));
    expect(open.stdout).toMatch(/completed +US-2 +not proven: no check/);
    expect(open.stdout).toContain("  unproven branch ");
    expect(open.stdout).not.toContain("  proven ");
  });

  it("writes no passes for a story without a check, does not repeat it, and repeats it once it has criteria (R78, R79)", async () => {
    const file = (...userStories: readonly object[]): void =>
      project.write("prd.json", JSON.stringify({ project: "p", userStories }));
    const marks = (): readonly unknown[] => {
      const { userStories } = JSON.parse(readFileSync(join(project.root, "prd.json"), "utf8"));
      return userStories.map(({ passes }: { readonly passes?: boolean }) => passes ?? false);
    };
    const one = { id: "US-1", title: "One" };
    const two = {
      id: "US-2",
      title: "Two",
      dependencies: ["US-1"],
      acceptanceCriteria: ["file made.txt exists"],
    };
    file(one, two);
    const first = await project.ambit("run", "prd.json", "--", ...writer("made"));
    expect([first.status, marks()]).toEqual([0, [false, true]]);
    expect(first.stderr).toContain("US-1 has no check, so passes was not written");
    const again = await project.ambit("run", "prd.json", "--", ...writer("again"));
    expect([again.status, marks()]).toEqual([0, [false, true]]);
    expect(again.stdout).toMatch(/completed +US-1 +not proven: no check\npasses +US-2\n {2}unproven branch /);
    const known = JSON.parse((await project.ambit("run", "prd.json", "--json", "--", "true")).stdout);
    expect(known).toMatchObject({
      project: "p",
      branch_proof: "unchecked",
      stories: [
        { id: "US-1", outcome: "completed", run: "US-1", proof: "unchecked" },
        { id: "US-2", outcome: "passes", run: "US-2" },
      ],
    });
    file({ ...one, acceptanceCriteria: ["file again.txt exists"] }, { ...two, passes: true });
    const checked = await project.ambit("run", "prd.json", "--", ...writer("again"));
    expect([checked.status, marks()]).toEqual([0, [true, true]]);
    expect(checked.stdout).toMatch(/completed +US-1 +from the work of US-2\n/);
  });

  it("ends with the first story that is not completed, and is refused if it is not a PRD", async () => {
    project.write("prd.json", JSON.stringify({ project: "p", userStories: stories }));
    const run = await project.ambit("run", "prd.json", "--json", "--", ...writer("other"));
    expect(run.status).toBe(3);
    expect(JSON.parse(run.stdout)).toMatchObject({ story: "US-001", code: "CRITERION_FAILED" });
    project.write("broken.json", "{}");
    const broken = await project.ambit("run", "broken.json", "--", "true");
    expect(broken.status).toBe(2);
    expect(broken.stderr).toContain("userStories");
  });
});
