import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const id = "US-1-DEL-001";
const content = "large ".repeat(1000);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const pointerTo = (text: string): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${hashOf(text)}\nsize ${Buffer.byteLength(text)}\n`;

let project: TemporaryRepository;
let workspace: Workspace;

async function open(attributes: string): Promise<void> {
  project = await makeRepository({
    ".gitattributes": attributes,
    "a.bin": pointerTo(content),
    "a.txt": "a\n",
  });
  const { repository, stateDirectory } = project;
  const base = project.git("rev-parse", "HEAD").trim();
  workspace = await createWorkspace({ repository, stateDirectory }, { id, base });
}

beforeEach(() => open("*.bin filter=lfs diff=lfs merge=lfs -text\n"));

afterEach(() => project.remove());

const write = (path: string, text: string): void => writeFileSync(join(workspace.path, path), text);
const keep = () => importWork(project, { id, message: "Work\n" });
const release = () => releaseWorkspace(project, { id, path: workspace.path });
const objectOf = (text: string): string => {
  const hash = hashOf(text);
  return join(project.root, ".git/lfs/objects", hash.slice(0, 2), hash.slice(2, 4), hash);
};

describe("files behind Git LFS in a worker's work", () => {
  it("stay pointers if only their content was put in place, as git lfs checkout does", async () => {
    write("a.bin", content);
    expect(await keep()).toMatchObject({ nothingChanged: true, leftOut: [] });
    write("a.txt", "changed\n");
    const { filesChanged, tip } = await keep();
    expect(filesChanged.map(({ path }) => path)).toStrictEqual(["a.txt"]);
    expect(project.git("show", `${tip}:a.bin`)).toBe(pointerTo(content));
    expect(await release()).toMatchObject({ status: "released" });
  });

  it("become a new pointer if they were changed, and their content is where LFS looks for it", async () => {
    write("a.bin", "other");
    write("new.bin", "new");
    const { filesChanged, tip } = await keep();
    expect(filesChanged.map(({ path }) => path).toSorted()).toStrictEqual(["a.bin", "new.bin"]);
    expect(project.git("show", `${tip}:a.bin`)).toBe(pointerTo("other"));
    expect(project.git("show", `${tip}:new.bin`)).toBe(pointerTo("new"));
    expect(readFileSync(objectOf("other"), "utf8")).toBe("other");
    expect(readFileSync(objectOf("new"), "utf8")).toBe("new");
    // The same again: nothing is left to save, so the workspace can go.
    expect((await keep()).tip).toBe(tip);
    write("a.bin", "later");
    expect(await release()).toMatchObject({ status: "refused", code: "WORK_NOT_SAVED" });
    await keep();
    expect(await release()).toMatchObject({ status: "released" });
  });

  it("are kept as they are if they are empty or already a pointer", async () => {
    write("a.bin", pointerTo("elsewhere"));
    write("empty.bin", "");
    const { tip } = await keep();
    expect(project.git("show", `${tip}:a.bin`)).toBe(pointerTo("elsewhere"));
    expect(project.git("show", `${tip}:empty.bin`)).toBe("");
    expect(existsSync(join(project.root, ".git/lfs"))).toBe(false);
  });

  it("become pointers if the worker committed their content itself, and no branch has that commit", async () => {
    write("a.bin", "other");
    write("b.txt", "b");
    const worker = (...words: string[]) => project.git("-C", workspace.path, ...words);
    worker("add", "-A");
    worker("commit", "--quiet", "--no-verify", "-m", "Mine");
    const own = worker("rev-parse", "HEAD").trim();
    // The control: what the worker committed is the content.
    expect(project.git("show", `${own}:a.bin`)).toBe("other");
    const { tip, kept, base, filesChanged } = await keep();
    expect(filesChanged.map(({ path }) => path).toSorted()).toStrictEqual(["a.bin", "b.txt"]);
    expect(project.git("show", `${tip}:a.bin`)).toBe(pointerTo("other"));
    expect(project.git("rev-parse", `${tip}^`).trim()).toBe(base);
    expect(kept).toStrictEqual([own]);
    expect(readFileSync(objectOf("other"), "utf8")).toBe("other");
    expect((await keep()).tip).toBe(tip);
    expect(await release()).toMatchObject({ status: "released" });
  });

  it("stay pointers in what comes after such a commit", async () => {
    write("a.bin", "other");
    const worker = (...words: string[]) => project.git("-C", workspace.path, ...words);
    worker("commit", "--quiet", "--no-verify", "-a", "-m", "Mine");
    await keep();
    write("a.txt", "changed\n");
    const { tip } = await keep();
    expect(project.git("show", `${tip}:a.txt`)).toBe("changed\n");
    expect(project.git("show", `${tip}:a.bin`)).toBe(pointerTo("other"));
  });

  it("leave the worker's own commits alone if those have pointers", async () => {
    write("a.bin", pointerTo("elsewhere"));
    const worker = (...words: string[]) => project.git("-C", workspace.path, ...words);
    worker("add", "-A");
    worker("commit", "--quiet", "--no-verify", "-m", "Mine");
    expect((await keep()).tip).toBe(worker("rev-parse", "HEAD").trim());
  });

  it("are plain files if the attributes name no such filter (control)", async () => {
    project.remove();
    await open("*.bin -text\n");
    write("a.bin", "other");
    expect(project.git("show", `${(await keep()).tip}:a.bin`)).toBe("other");
  });
});
