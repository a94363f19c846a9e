import { describe, expect, it } from "vitest";
import { makeProject } from "./task-project.ts";

/** As found in projects of other tools: wrapped numbers, no titles, words of their own, an overview on top. */
const STATE = `{
  "next_project_number": 82,
  "active_projects": [
    {
      "project_number": 81,
      "project_name": "witness_research",
      "status": "pr_ready",
      "task_type": "lean4",
      "effort": "4 hours",
      "dependencies": [998],
      "weight": 1.50,
      "memory": {"seen": "caf\\u00e9"}
    },
    { "project_number": 998, "project_name": "redesign", "status": "researching", "task_type": "lean4" },
    { "project_number": "12.1", "project_name": "part", "status": "not_started" },
    { "project_number": "007", "project_name": "agent", "status": "planned", "priority": "High" }
  ],
  "repository_health": { "status": "healthy" }
}`;

const TODO = `---
next_project_number: 82
---

# TODO

## Task Order

### 0. New track

\`\`\`
### 81. not a task
\`\`\`

- **81** [NOT STARTED]

### 1. Core Wiring

## Tasks

### 998. Redesign the filter
- **Effort**: 1 hour
- **Status**: [RESEARCHING]
- **Task Type**: lean4

**Description**: Words.

---

### 81. Witness research
- **Status**: [PR READY]
- **Task Type**: lean4
- **Dependencies**: Task 998 context (the filter)

---

### 12.1. A part
- **Status**: [NOT STARTED]

### 007. The agent [PLANNED]
`;

const files = { "specs/state.json": STATE, "specs/TODO.md": TODO };

describe("a project from other tools", () => {
  it("is read unchanged: wrapped numbers, other ids, its own words (R143, C26, C37)", () => {
    const { store, read } = makeProject(files);
    expect(
      store
        .list()
        .map(({ id, title, status, statusText, language }) => [id, title, status, statusText, language]),
    ).toEqual([
      ["81", "Witness research", "unknown", "pr_ready", "lean4"],
      ["998", "Redesign the filter", "researching", "researching", "lean4"],
      ["12.1", "A part", "not_started", "not_started", "general"],
      ["7", "The agent [PLANNED]", "planned", "planned", "general"],
    ]);
    expect(store.find("007")?.id).toBe("7");
    expect(store.find("12.1")?.number).toBeUndefined();
    expect(store.nextNumber()).toBe(82);
    expect(read("specs/state.json")).toBe(STATE);
  });

  it("keeps every byte that a change does not concern (R134, R135)", async () => {
    const project = makeProject(files);
    const done = await project.store.updateStatus("998", "researched");
    expect(done.status).toBe("completed");
    expect(project.read("specs/TODO.md")).toBe(TODO.replace("[RESEARCHING]", "[RESEARCHED]"));
    expect(project.read("specs/state.json")).toBe(
      STATE.replace(
        '"status": "researching", "task_type": "lean4" }',
        '"status": "researched", "task_type": "lean4", "last_updated": "2026-01-07T10:00:00Z" }',
      ),
    );
  });

  it("changes tasks with ids that are not numbers, and tasks with an unknown status (C37)", async () => {
    const project = makeProject(files);
    await project.store.updateStatus("12.1, 81", "planning");
    expect(project.read("specs/TODO.md")).toBe(
      TODO.replace("[PR READY]", "[PLANNING]").replace(
        "### 12.1. A part\n- **Status**: [NOT STARTED]",
        "### 12.1. A part\n- **Status**: [PLANNING]",
      ),
    );
    await project.store.updateStatus(7, "implementing");
    expect(project.read("specs/TODO.md")).toContain("### 007. The agent [IMPLEMENTING]\n");
  });

  it("gets a new task with the counter's number, in the style of its list", async () => {
    const project = makeProject(files);
    const made = await project.store.create({ title: "Next", language: "lean4" });
    expect(made.taskIds).toEqual(["82"]);
    const todo = project.read("specs/TODO.md");
    expect(todo).toContain("next_project_number: 83\n");
    expect(todo).toContain(
      "### 82. Next\n- **Status**: [NOT STARTED]\n- **Priority**: medium\n- **Task Type**: lean4\n",
    );
    expect(todo.replace(/### 82[^]*?---\n\n/, "").replace("83", "82")).toBe(TODO);
    expect(project.read("specs/state.json")).toContain('"memory": {"seen": "caf\\u00e9"}');
    expect(project.store.find(82)?.raw["task_type"]).toBe("lean4");
  });

  it("keeps the differences between its files until sync reconciles them (C22, C27)", async () => {
    const project = makeProject({
      "specs/state.json": STATE.replace('"pr_ready"', '"planned"'),
      "specs/TODO.md": TODO,
    });
    await project.store.updateStatus(998, "researched");
    expect(project.read("specs/TODO.md")).toContain("[PR READY]");
    const gitDates = async (path: string, lines: readonly number[]) =>
      Promise.resolve(
        new Map(
          lines.map((line) => [
            line,
            path.endsWith(".json") ? "2026-01-02T00:00:00Z" : "2026-01-01T00:00:00Z",
          ]),
        ),
      );
    const synced = await project.open({ gitDates }).sync(81);
    expect(synced.log).toEqual(["Task 81: status from state.json (2026-01-02) > TODO.md (2026-01-01)"]);
    expect(project.read("specs/TODO.md")).toContain("### 81. Witness research\n- **Status**: [PLANNED]");
  });

  it("gives a task's language separately for each place that may name it (C23)", () => {
    const project = makeProject({
      ...files,
      "specs/081_witness_research/state.json": '{"language": "agda"}',
    });
    expect(project.store.languages(81)).toEqual({ project: "agda", state: "lean4", todo: "lean4" });
    expect(project.store.languages("12.1")).toEqual({
      project: undefined,
      state: undefined,
      todo: undefined,
    });
  });

  it("is read from TODO.md alone without a state.json", async () => {
    const project = makeProject({ "specs/TODO.md": TODO });
    await project.store.refresh();
    expect(project.store.list().map(({ id }) => id)).toEqual(["998", "81", "12.1", "7"]);
    expect(project.read("specs/TODO.md")).toBe(TODO);
    expect(project.disagreements()).toEqual([]);
  });

  it("keeps CRLF in both files (R135)", async () => {
    const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
    const project = makeProject({ "specs/state.json": crlf(STATE), "specs/TODO.md": crlf(TODO) });
    await project.store.updateStatus(998, "researched");
    await project.store.create({ title: "Next" });
    for (const path of ["specs/state.json", "specs/TODO.md"]) {
      expect(project.read(path).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    }
  });
});
