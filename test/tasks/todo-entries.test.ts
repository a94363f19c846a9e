import { describe, expect, it } from "vitest";
import { makeProject, type TaskProject } from "./task-project.ts";

const HEAD = "# TODO\n\n## Tasks\n\n";

/** A project whose TODO.md has this entry of task 1, and perhaps others below it. */
async function withEntry(entry: string, others = "", fields: object = {}): Promise<TaskProject> {
  const task = { project_number: 1, project_name: "one", title: "One", status: "not_started", ...fields };
  const rest = [...others.matchAll(/^### (\d+)\. (.*)$/gm)].map(([, number, title]) => ({
    project_number: Number(number),
    title,
    status: "not_started",
  }));
  const made = makeProject({
    "specs/state.json": JSON.stringify({ next_project_number: 9, active_projects: [task, ...rest] }),
    "specs/TODO.md": HEAD + entry + others,
  });
  await made.store.refresh();
  return made;
}

const entryOf = ({ read }: TaskProject): string => read("specs/TODO.md").slice(HEAD.length);

describe("a value that is set in an entry of TODO.md (R135)", () => {
  it.each([
    [
      "in its place",
      "- **Status**: [NOT STARTED]\n- **Owner**: Ann\n",
      "- **Status**: [PLANNING]\n- **Owner**: Ann\n",
    ],
    [
      "in a line of another form",
      "* **Status:** [NOT STARTED] (soon)\n",
      "* **Status:** [PLANNING] (soon)\n",
    ],
    ["without a bullet", "**STATUS**: Not started\n", "**STATUS**: [PLANNING]\n"],
    [
      "in an empty line",
      "- **Status**:\n- **Effort**: 1 h\n",
      "- **Status**: [PLANNING]\n- **Effort**: 1 h\n",
    ],
    [
      "below the other fields",
      "- **Owner**: Ann\n\nWords.\n",
      "- **Owner**: Ann\n- **Status**: [PLANNING]\n\nWords.\n",
    ],
    ["with their bullet", "* **Owner**: Ann\n", "* **Owner**: Ann\n* **Status**: [PLANNING]\n"],
    ["below the heading", "\nWords.\n", "- **Status**: [PLANNING]\n\nWords.\n"],
    [
      "above the description",
      "**Description**: Words.\n\n**Later**: x\n",
      "- **Status**: [PLANNING]\n**Description**: Words.\n\n**Later**: x\n",
    ],
    [
      "in the first run of fields",
      "- **Owner**: Ann\n\n- **Later**: x\n",
      "- **Owner**: Ann\n- **Status**: [PLANNING]\n\n- **Later**: x\n",
    ],
    ["after the last byte", "- **Owner**: Ann", "- **Owner**: Ann\n- **Status**: [PLANNING]"],
    [
      "with the line ends of the file",
      "- **Owner**: Ann\r\n",
      "- **Owner**: Ann\r\n- **Status**: [PLANNING]\r\n",
    ],
  ])("stands %s", async (_, before, after) => {
    const eol = before.includes("\r\n") ? "\r\n" : "\n";
    const head = `### 1. One${eol}`;
    const project = await withEntry(head + before);
    if (eol === "\r\n") project.write("specs/TODO.md", (HEAD + head + before).replaceAll(/\r?\n/g, "\r\n"));
    await project.store.updateStatus(1, "planning");
    const text = project.read("specs/TODO.md").replaceAll("\r\n", eol);
    expect(text.slice(text.indexOf("### 1."))).toBe(head + after);
    expect(project.store.find(1)).toMatchObject({ status: "planning" });
  });

  it("stands in the heading if the marker is there", async () => {
    const project = await withEntry("### 1. One [NOT STARTED]\n\nWords [x].\n");
    await project.store.updateStatus(1, "researching");
    expect(entryOf(project)).toBe("### 1. One [RESEARCHING]\n\nWords [x].\n");
  });

  it("has the form of its field", async () => {
    const project = await withEntry(
      "### 1. One\n- **Status**: [NOT STARTED]\n",
      "\n### 2. Two\n\n### 3. Three\n",
    );
    await project.store.updateMetadata(1, {
      title: "Eins",
      language: "lean",
      priority: "high",
      effort: "2 h",
      dependencies: [2, 3],
      description: "Some words",
    });
    const [first = ""] = entryOf(project).split("### 2.");
    expect(
      first
        .split("\n")
        .filter((line) => line !== "")
        .toSorted(),
    ).toEqual(
      [
        "### 1. Eins",
        "- **Status**: [NOT STARTED]",
        "- **Language**: lean",
        "- **Priority**: high",
        "- **Effort**: 2 h",
        "- **Dependencies**: 2, 3",
        "**Description**: Some words",
      ].toSorted(),
    );
    await project.store.updateMetadata(1, { dependencies: [] });
    expect(entryOf(project)).toContain("- **Dependencies**: None\n");
    expect(project.disagreements()).toEqual([]);
  });

  it("has the name that the list uses for the language", async () => {
    const others = "\n### 2. Two\n- **Task Type**: lean4\n";
    const project = await withEntry("### 1. One\n- **Status**: [NOT STARTED]\n", others);
    await project.store.updateMetadata(1, { language: "rust" });
    expect(entryOf(project)).toContain("- **Task Type**: rust\n");
    const both = await withEntry("### 1. One\n- **Owner**: Ann\n", `${others}- **Language**: x\n`);
    await both.store.updateMetadata(1, { language: "rust" });
    expect(entryOf(both)).toContain("- **Language**: rust\n");
  });
});

describe("the dependencies of an entry", () => {
  it.each([
    ["None", []],
    ["none", []],
    ["-", []],
    ["--", []],
    ["—", []],
    ["N/A", []],
    ["", []],
    ["2", ["2"]],
    ["Task 2, #3", ["2", "3"]],
    ["tasks 2 and 3", ["2", "3"]],
    ["2; 3 & 004", ["2", "3", "4"]],
    ["12.1, US-3", ["12.1", "US-3"]],
  ])("are read from %j", async (text, dependencies) => {
    const project = makeProject({ "specs/TODO.md": `${HEAD}### 1. One\n- **Dependencies**: ${text}\n` });
    await project.store.refresh();
    expect(project.store.find(1)?.dependencies).toEqual(dependencies);
    expect(project.read("specs/TODO.md")).toContain(`- **Dependencies**: ${text}\n`);
  });

  it.each(["see the notes", "2 (soon)", "every task"])(
    "are not compared where they are prose: %s",
    async (text) => {
      const entry = `### 1. One\n- **Depends on**: ${text}\n`;
      const project = await withEntry(entry, "", { dependencies: [2] });
      await project.store.updateStatus(1, "researching");
      expect(project.store.find(1)?.dependencies).toEqual(["2"]);
      expect(entryOf(project)).toContain(entry);
    },
  );
});

describe("links to artifacts in an entry", () => {
  const link = async (entry: string, ...links: readonly { type: string; path: string }[]) => {
    const project = await withEntry(entry);
    await project.store.addArtifacts(1, links);
    return entryOf(project);
  };
  const head = "### 1. One\n- **Status**: [NOT STARTED]\n";

  it("stand on the line of their kind, relative to TODO.md", async () => {
    expect(
      await link(
        head,
        { type: "report", path: "specs/1_one/reports/research-001.md" },
        { type: "research", path: "specs/1_one/reports/research 002.md" },
        { type: "plan", path: "docs/plan.md" },
        { type: "implementation_summary", path: "specs/1_one/s.md" },
        { type: "", path: "specs/1_one/other.md" },
      ),
    ).toBe(
      `${head}- **Research**: [research-001.md](1_one/reports/research-001.md), [research 002.md](1_one/reports/research%20002.md)
- **Plan**: [plan.md](../docs/plan.md)
- **Implementation summary**: [s.md](1_one/s.md)
- **Artifact**: [other.md](1_one/other.md)
`,
    );
  });

  it("are added to a line that is there", async () => {
    expect(
      await link(`${head}- **Plan**: [a.md](1_one/a.md)\n`, { type: "plan", path: "specs/1_one/b.md" }),
    ).toBe(`${head}- **Plan**: [a.md](1_one/a.md), [b.md](1_one/b.md)\n`);
    expect(await link(`${head}- **Plan**:\n`, { type: "plan", path: "specs/1_one/b.md" })).toBe(
      `${head}- **Plan**: [b.md](1_one/b.md)\n`,
    );
  });

  it.each(["[a](1_one/a.md)", "[a](specs/1_one/a.md)", "[specs/1_one/a.md]"])(
    "are not added twice: %s",
    async (known) => {
      const entry = `${head}- **Notes**: ${known}\n`;
      expect(await link(entry, { type: "plan", path: "specs/1_one/a.md" })).toBe(entry);
    },
  );

  it("are relative to the project where the others are", async () => {
    const entry = `${head}- **Notes**: [n](specs/n.md)\n`;
    expect(await link(entry, { type: "plan", path: "specs/1_one/a.md" })).toContain(
      "**Plan**: [a.md](specs/1_one/a.md)\n",
    );
  });

  it("of the entry below do not count", async () => {
    const project = await withEntry(head, "\n### 2. Two\n- **Plan**: [a.md](1_one/a.md)\n");
    await project.store.addArtifacts(1, [{ type: "plan", path: "specs/1_one/a.md" }]);
    expect(entryOf(project).split("### 2.")[0]).toContain("[a.md](1_one/a.md)");
  });
});

describe("an entry that the store writes itself", () => {
  it("has a line for every value that the task has, and its links", async () => {
    const full = {
      project_number: 2,
      project_name: "two_things",
      status: "pr_ready",
      task_type: "lean4",
      effort: "1 h",
      priority: "low",
      dependencies: [1],
      parent_task: 1,
      description: "Some words",
      artifacts: [{ type: "plan", path: "specs/2_two/plan.md" }],
    };
    const made = makeProject({
      "specs/state.json": JSON.stringify({
        active_projects: [{ project_number: 1, status: "not_started", dependencies: [] }, full],
      }),
    });
    await made.store.refresh();
    const text = made.read("specs/TODO.md");
    expect(text).toContain("### 1. Task 1\n- **Status**: [NOT STARTED]\n");
    expect(text).toContain(`### 2. two things
- **Effort**: 1 h
- **Status**: [PR READY]
- **Priority**: low
- **Language**: lean4
- **Dependencies**: 1
- **Parent Task**: 1
- **Plan**: [plan.md](2_two/plan.md)

**Description**: Some words
`);
    expect(made.disagreements()).toEqual([]);
  });

  it("has its own words again after it was archived, with its new status", async () => {
    const entry = "### 1. One\n- **Status**: [NOT STARTED] (mine)\n\nMy *own* words.\n";
    const project = await withEntry(entry, "\n### 2. Two\n");
    await project.store.abandon(1);
    expect(entryOf(project)).toBe("### 2. Two\n");
    await project.store.recover(1);
    const text = entryOf(project);
    expect(text).toContain("### 1. One\n- **Status**: [NOT STARTED] (mine)\n\nMy *own* words.\n");
    await project.store.updateStatus(1, "researching");
    expect(entryOf(project)).toContain("- **Status**: [RESEARCHING] (mine)\n");
  });

  it("is composed if the archive has no usable text of it", async () => {
    const old = { project_number: 3, title: "Three", status: "completed" };
    const archive = [
      { ...old, todo_entry: "no entry" },
      { ...old, project_number: 4, title: "Four", todo_entry: "### 5. Another\n" },
    ];
    const made = makeProject({
      "specs/state.json": JSON.stringify({ active_projects: [{ project_number: 1, title: "One" }] }),
      "specs/archive/state.json": JSON.stringify({ completed_projects: archive }),
    });
    await made.store.recover([3, 4]);
    const text = made.read("specs/TODO.md");
    expect(text).toContain("### 3. Three\n- **Status**: [COMPLETED]\n");
    expect(text).toContain("### 4. Four\n- **Status**: [COMPLETED]\n");
    expect(text).not.toContain("Another");
  });
});
