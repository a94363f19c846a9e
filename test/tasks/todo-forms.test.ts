import { describe, expect, it } from "vitest";
import { makeProject } from "./task-project.ts";

/** The tasks of a project that has only this TODO.md. */
async function read(text: string) {
  const project = makeProject({ "specs/TODO.md": text });
  await project.store.refresh();
  return project.store.list();
}

const ids = async (text: string): Promise<readonly string[]> => (await read(text)).map(({ id }) => id);

describe("a numbered heading", () => {
  it("is a task below the heading Tasks of the second level, or with a field or a marker", async () => {
    const prose = "### 1. Introduction\n\nWords.\n\n";
    expect(await ids(`# TODO\n\n## Tasks\n\n${prose}`)).toEqual(["1"]);
    expect(await ids(`# Tasks\n\n${prose}### 2. Two\n- **Status**: [PLANNED]\n`)).toEqual(["2"]);
    expect(await ids(`# TODO\n\n${prose}### 2. Two [PLANNED]\n\n### 3. Three\n- **Effort**: 1 h\n`)).toEqual([
      "2",
      "3",
    ]);
    expect(await ids("# TODO\n\n### 1. [PLANNED] things\n\n### 2. Two [PLANNED]\n")).toEqual(["2"]);
  });

  it("is none in code, in a comment or above the list", async () => {
    const code = "```\n### 7. Code\n```\n\n";
    const comment = "<!--\n### 8. Comment\n-->\n\n<!-- ### 9. Comment -->\n\n";
    const open = "### 2. Two\n\n<!-- never closed\n\n### 3. Three\n\n```\n\n### 4. Four\n";
    expect(await ids(`# TODO\n\n## Tasks\n\n${code}${comment}${open}`)).toEqual(["2", "3", "4"]);
  });

  it("is read although two of the three marks of a conflict are below it", async () => {
    expect(await ids("## Tasks\n\n### 1. One\n\n<<<<<<< a\n=======\n")).toEqual(["1"]);
  });
});

describe("a field of an entry", () => {
  it.each([
    "- **Task Type**: rust",
    "- **task_type**: rust",
    "- **Task  Type**: rust",
    "+ **Language**: rust",
    "* **Language:** rust",
    "-   **Language**: rust",
    "   - **Language**:\trust ",
    "**Language**: rust",
  ])("is read in the form %j", async (line) => {
    expect(await read(`## Tasks\n\n### 1. One\n${line}\n`)).toMatchObject([{ language: "rust" }]);
  });

  it("is text where it is code, has no colon or no name", async () => {
    const lines = ["    - **Language**: rust", "- **Language** rust", "- **:** rust", "-**Language**: rust"];
    for (const line of lines)
      expect(await read(`## Tasks\n\n### 1. One\n${line}\n`)).toMatchObject([{ language: "general" }]);
  });

  it("belongs to its entry up to a line of dashes after a blank one", async () => {
    const entry = "## Tasks\n\n### 1. One\n\nWords ---\n- **Status**: [PLANNED]\n\n";
    const rest = "- **Effort**: 9 h\n";
    expect(await read(`${entry}---  \n\n${rest}`)).toMatchObject([{ status: "planned", effort: "" }]);
    expect(await read(`${entry}Words ---\n\n${rest}`)).toMatchObject([{ status: "planned", effort: "9 h" }]);
    expect(await read(`${entry}--\n\n${rest}`)).toMatchObject([{ effort: "9 h" }]);
  });

  it("that is a description ends with its paragraph, and with a comment", async () => {
    const entry = "## Tasks\n\n### 1. One\n\n**Description**: Some\nwords.\n";
    expect(await read(`${entry}<!-- note -->\nMore.\n`)).toMatchObject([{ description: "Some words." }]);
    expect(await read(`${entry}\nMore.\n`)).toMatchObject([{ description: "Some words." }]);
    expect(await read(`${entry}- **Effort**: 1 h\n`)).toMatchObject([
      { description: "Some words.", effort: "1 h" },
    ]);
  });

  it("that is a status keeps what a person wrote beside it", async () => {
    const project = makeProject({
      "specs/TODO.md": "## Tasks\n\n### 1. One\n- **Status**: [NOT STARTED] [see notes]\n",
    });
    await project.store.updateStatus(1, "planning");
    expect(project.read("specs/TODO.md")).toContain("- **Status**: [PLANNING] [see notes]\n");
  });

  it("may be a status of another tool, in any form", async () => {
    const task = { project_number: 1, title: "One", status: "needs_review" };
    const project = makeProject({
      "specs/state.json": JSON.stringify({ next_project_number: 2, active_projects: [task] }),
      "specs/TODO.md": "## Tasks\n\n### 1. One\n- **Status**: [ Needs  Review ]\n- **Dependencies**: None\n",
    });
    const synced = await project.store.sync("all");
    expect(synced).toMatchObject({ conflicts: [], filesUpdated: [] });
    expect(project.store.find(1)?.raw).toStrictEqual(task);
  });
});

describe("an entry that leaves the list", () => {
  it("takes the line of dashes and the blank lines below it along", async () => {
    const two = "### 2. Two\n- **Status**: [NOT STARTED]\n";
    const text = `## Tasks\n\n### 1. One\n- **Status**: [NOT STARTED]\n\n---\n\n\n${two}`;
    const project = makeProject({ "specs/TODO.md": text });
    await project.store.abandon(1);
    expect(project.read("specs/TODO.md")).toBe(`## Tasks\n\n${two}`);
  });

  it("without any field comes back with its own words", async () => {
    const project = makeProject({ "specs/TODO.md": "## Tasks\n\n### 1. One\n\nMy words.\n\n### 2. Two\n" });
    await project.store.abandon(1);
    await project.store.recover(1);
    expect(project.read("specs/TODO.md")).toContain("\n\nMy words.\n");
    expect(project.read("specs/TODO.md")).not.toContain("**Priority**");
    expect(project.disagreements()).toEqual([]);
  });

  it("comes back as one entry, even if its stored text has two", async () => {
    const two = "### 6. Six\n- **Status**: [COMPLETED]\n\n### 7. Seven\n- **Status**: [PLANNED]\n";
    const task = { project_number: 6, title: "Six", status: "completed", todo_entry: two };
    const project = makeProject({
      "specs/state.json": JSON.stringify({ active_projects: [{ project_number: 1, dependencies: [] }] }),
      "specs/archive/state.json": JSON.stringify({ completed_projects: [task] }),
    });
    await project.store.recover(6);
    expect(project.read("specs/TODO.md")).toContain("### 6. Six\n- **Status**: [COMPLETED]\n");
    expect(project.read("specs/TODO.md")).not.toContain("Seven");
    expect(project.read("specs/TODO.md")).not.toContain("Dependencies");
  });
});

describe("a link to an artifact", () => {
  it("stands on the line of its kind, however that is written", async () => {
    const project = makeProject({ "specs/TODO.md": "## Tasks\n\n### 1. One\n- **Status**: [PLANNED]\n" });
    await project.store.addArtifacts(1, [{ type: "Test - report__2", path: "specs/1_one/r.md" }]);
    expect(project.read("specs/TODO.md")).toContain("- **Test report 2**: [r.md](1_one/r.md)\n");
  });
});
