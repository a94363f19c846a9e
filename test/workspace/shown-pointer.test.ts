import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { advanceWorkspace } from "../../src/workspace/advance-workspace.ts";
import { createWorkspace, writeShownPointer } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let path: string;
let to: string;

beforeEach(async () => {
  project = await makeRepository({ "a.txt": "a\n" });
  to = project.git("rev-parse", "HEAD").trim();
  ({ path } = await createWorkspace(project, { id, base: to }));
});

afterEach(() => project.remove());

const write = (): string => writeShownPointer(path, { ...project, gitFolder: "/elsewhere" }) ?? "none";

it("the pointer names git's folder at its path inside, and is kept when the workspace moves to a commit", async () => {
  const pointer = write();
  const { ino } = lstatSync(pointer);
  expect(readFileSync(pointer, "utf8")).toMatch(/^gitdir: \/elsewhere\/worktrees\/[\w.-]+\n$/u);
  await advanceWorkspace(project, { id, path, to });
  expect(lstatSync(pointer).ino).toBe(ino);
  expect(lstatSync(write()).ino).toBe(ino);
});

it.each([
  ["a folder", (at: string) => mkdirSync(join(at, "inside"), { recursive: true })],
  ["a link", (at: string) => symlinkSync(join(project.root, "a.txt"), at)],
  ["another text", (at: string) => writeFileSync(at, "gitdir: /etc\n")],
])("the pointer replaces %s that a worker put in its place", (_what, plant) => {
  const pointer = write();
  rmSync(pointer);
  plant(pointer);
  expect(readFileSync(write(), "utf8")).toContain("gitdir: /elsewhere/");
  expect(lstatSync(pointer).isFile()).toBe(true);
  expect(readFileSync(join(project.root, "a.txt"), "utf8")).toBe("a\n");
});

it("the pointer is not written for a folder that is not a worktree of the repository", () => {
  writeFileSync(join(path, ".git"), "gitdir: /etc\n");
  expect(write()).toBe("none");
});
