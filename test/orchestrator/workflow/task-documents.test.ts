import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outcomes } from "../../../src/contract/outcome.ts";
import { isInProgress } from "../../../src/contract/task.ts";
import { statusAfter, statusDuring } from "../../../src/orchestrator/workflow/markers.ts";
import { placeDocuments } from "../../../src/orchestrator/workflow/place-documents.ts";
import {
  listAllDocuments,
  readDocumentType,
  findNewestPlan,
  nameNextDocument,
} from "../../../src/orchestrator/workflow/task-documents.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ambit-documents-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe("documents of a task", () => {
  it("get the next number in the folder of their command (R133)", () => {
    expect(nameNextDocument(root, "specs/1_x", "research")).toBe("specs/1_x/reports/research-001.md");
    write("specs/1_x/reports/research-001.md", "a");
    write("specs/1_x/reports/review-007.md", "a");
    expect(nameNextDocument(root, "specs/1_x", "research")).toBe("specs/1_x/reports/research-008.md");
    expect(nameNextDocument(root, "specs/1_x", "implement")).toBe(
      "specs/1_x/summaries/implementation-summary-001.md",
    );
    expect(nameNextDocument(root, "specs/1_x", "meta")).toBeUndefined();
  });

  it.each([
    ["research", "reports/research-001.md"],
    ["review", "reports/review-001.md"],
    ["plan", "plans/implementation-001.md"],
    ["revise", "plans/implementation-001.md"],
    ["implement", "summaries/implementation-summary-001.md"],
  ])("have a place for the command %s: %s (R133)", (command, path) => {
    expect(nameNextDocument(root, "specs/1_x", command)).toBe(`specs/1_x/${path}`);
  });

  it("are Markdown files only, listed by folder", () => {
    for (const path of ["reports/b.md", "reports/a.md", "plans/p-001.md", "summaries/s.md", "other/o.md"])
      write(`specs/1_x/${path}`, "a");
    write("specs/1_x/reports/notes-900.txt", "a");
    write("specs/1_x/reports/folder-950.md/inside.md", "a");
    expect(listAllDocuments(root, "specs/1_x")).toEqual(
      ["reports/a.md", "reports/b.md", "plans/p-001.md", "summaries/s.md"].map((path) => `specs/1_x/${path}`),
    );
    expect(nameNextDocument(root, "specs/1_x", "research")).toBe("specs/1_x/reports/research-001.md");
    expect(listAllDocuments(root, "specs/2_y")).toEqual([]);
  });

  it("of one number have the last name as the newest plan", () => {
    for (const name of ["b-002", "a-002", "c-001"]) write(`specs/1_x/plans/${name}.md`, "a");
    expect(findNewestPlan(root, "specs/1_x")).toBe("specs/1_x/plans/b-002.md");
  });

  it("have the highest number as the newest plan, not the last name", () => {
    for (const name of ["implementation-002", "implementation-010", "zzz"])
      write(`specs/1_x/plans/${name}.md`, "a");
    expect(findNewestPlan(root, "specs/1_x")).toBe("specs/1_x/plans/implementation-010.md");
    expect(findNewestPlan(root, "specs/2_y")).toBeUndefined();
  });

  it("have the type of their folder", () => {
    expect(
      ["reports", "plans", "summaries", "x"].map((name) => readDocumentType(`specs/1_x/${name}/a.md`)),
    ).toStrictEqual(["report", "plan", "summary", "documentation"]);
  });
});

describe("placing documents", () => {
  const files = new Map([
    ["new:specs/1_x/reports/a.md", "proven"],
    ["new:specs/1_x/reports/b.md", "proven"],
    ["old:specs/1_x/reports/b.md", "started from"],
    ["new:specs/1_x/reports/link/c.md", "proven"],
  ]);
  const place = (...paths: string[]) => {
    const readFile = async (commit: string, path: string): Promise<Buffer | undefined> => {
      const text = files.get(`${commit}:${path}`);
      return text === undefined ? undefined : Buffer.from(text);
    };
    return placeDocuments({ projectRoot: root, readFile }, { paths, commit: "new", base: "old" });
  };

  it("writes if the path is free or holds what the worker started from, and never over a person's own file", async () => {
    write("specs/1_x/reports/b.md", "started from");
    const paths = ["specs/1_x/reports/a.md", "specs/1_x/reports/b.md"];
    expect((await place(...paths)).map(({ result }) => result)).toStrictEqual(["placed", "placed"]);
    expect(readFileSync(join(root, paths[1] ?? ""), "utf8")).toBe("proven");
    expect((await place(...paths)).map(({ result }) => result)).toStrictEqual(["there", "there"]);
    write("specs/1_x/reports/b.md", "mine");
    expect((await place("specs/1_x/reports/b.md")).map(({ result }) => result)).toStrictEqual(["kept"]);
    expect(readFileSync(join(root, "specs/1_x/reports/b.md"), "utf8")).toBe("mine");
  });

  it("never goes through a link", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "ambit-elsewhere-"));
    mkdirSync(join(root, "specs/1_x/reports"), { recursive: true });
    symlinkSync(elsewhere, join(root, "specs/1_x/reports/link"));
    expect((await place("specs/1_x/reports/link/c.md")).map(({ result }) => result)).toStrictEqual(["kept"]);
    rmSync(elsewhere, { recursive: true });
  });
});

describe("the status after a command", () => {
  it("advances only after success; otherwise the task stays in progress or is blocked (C20, R74)", () => {
    expect(
      ["research", "plan", "revise", "implement"].map((name) => statusAfter(name, "completed")),
    ).toStrictEqual(["researched", "planned", "revised", "completed"]);
    expect(statusAfter("implement", "timed_out")).toBe("partial");
    for (const command of ["research", "plan", "revise", "implement"])
      for (const outcome of outcomes.filter((one) => one !== "completed")) {
        const status = statusAfter(command, outcome);
        expect(
          status === "blocked" ? outcome === "blocked" : status !== undefined && isInProgress(status),
        ).toBe(true);
      }
  });

  it("does not change for commands without a status", () => {
    expect([statusDuring("review"), statusAfter("review", "completed")]).toStrictEqual([
      undefined,
      undefined,
    ]);
    expect(statusDuring("research")).toBe("researching");
  });
});
