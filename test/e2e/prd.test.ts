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
  it("runs its stories by priority, each with its criteria and limits, and is only read (R78, R132)", async () => {
    project.write(
      "prd.json",
      JSON.stringify({ project: "p", description: "All of it", userStories: stories }),
    );
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
    expect(userState(project)).toEqual(before);
    const prompt = readFileSync(join(project.root, ".git/ambit/logs/US-002/attempt-1/prompt.md"), "utf8");
    expect(prompt).toContain("All of it");
    expect(prompt).toContain("file made.txt exists");
    const prd = readFileSync(join(project.root, ".git/ambit/logs/US-002/attempt-1/prd.json"), "utf8");
    expect(JSON.parse(prd)).toMatchObject({
      branchName: "delegation/US-002",
      userStories: [{ id: "US-002", acceptanceCriteria: ["file made.txt exists"], passes: false }],
      metadata: { delegationDepth: 0 },
    });
    // What is completed is not run again.
    const again = await project.ambit("run", "prd.json", "--json", "--", ...writer("made"));
    expect(JSON.parse(again.stdout)["stories"].map((story: { outcome: string }) => story.outcome)).toEqual([
      "passes",
      "passes",
      "passes",
    ]);
  });

  it("stops at the first story that is not completed, and refuses a file that is not a PRD", async () => {
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
