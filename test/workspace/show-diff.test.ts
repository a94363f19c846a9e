import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDiff } from "../../src/workspace/show-diff.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;
let from: string;
let to: string;

beforeEach(async () => {
  project = await makeRepository({
    "src/a.txt": "one\ntwo\n",
    "src/old.txt": "1\n2\n3\n4\n5\n6\n",
    "gone.txt": "gone\n",
    "[x].txt": "brackets\n",
  });
  from = project.git("rev-parse", "HEAD").trim();
  project.write("src/a.txt", "one\nzwei\ndrei\n");
  renameSync(join(project.root, "src/old.txt"), join(project.root, "src/new.txt"));
  rmSync(join(project.root, "gone.txt"));
  writeFileSync(join(project.root, "bytes.bin"), Buffer.from([0, 1, 2]));
  writeFileSync(
    Buffer.concat([Buffer.from(`${project.root}/`), Buffer.from("caf\u00e9", "latin1")]),
    "odd\n",
  );
  project.git("add", "-A");
  project.git("commit", "-qm", "Change");
  to = project.git("rev-parse", "HEAD").trim();
});

afterEach(() => project.remove());

describe("showing a diff", () => {
  it("counts lines, reports binary files and renames, and quotes odd names", async () => {
    const diff = await readDiff(project.repository, { from, to, kind: "stat" });
    expect(diff).toMatchObject({ added: 3, removed: 2, text: "", isCut: false });
    expect(diff.files).toStrictEqual([
      { path: "bytes.bin", kind: "added", added: null, removed: null },
      { path: '"caf\\351"', kind: "added", added: 1, removed: 0 },
      { path: "gone.txt", kind: "removed", added: 0, removed: 1 },
      { path: "src/a.txt", kind: "changed", added: 2, removed: 1 },
      { path: "src/new.txt", oldPath: "src/old.txt", kind: "renamed", added: 0, removed: 0 },
    ]);
    expect(await readDiff(project.repository, { from, to: from, kind: "stat" })).toMatchObject({ files: [] });
  });

  it("gives names without counting", async () => {
    const { files } = await readDiff(project.repository, { from, to, kind: "names" });
    expect(files.map(({ path, added }) => [path, added])).toContainEqual(["src/a.txt", null]);
  });

  it("gives the patch of chosen paths, taken literally, between commits or trees", async () => {
    const tree = project.git("rev-parse", `${to}^{tree}`).trim();
    for (const target of [to, tree]) {
      const diff = await readDiff(project.repository, {
        from,
        to: target,
        kind: "patch",
        paths: ["src/a.txt"],
      });
      expect(diff.text).toContain(
        "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei\n",
      );
      expect(diff.files).toHaveLength(1);
    }
    project.write("[x].txt", "changed\n");
    project.write("x.txt", "not meant\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Brackets");
    const literal = await readDiff(project.repository, {
      from: to,
      to: project.git("rev-parse", "HEAD").trim(),
      kind: "names",
      paths: ["[x].txt"],
    });
    expect(literal.files.map(({ path }) => path)).toStrictEqual(["[x].txt"]);
  });

  it("cuts a long patch at the end of a line and says so", async () => {
    const whole = await readDiff(project.repository, { from, to, kind: "patch" });
    const cut = await readDiff(project.repository, { from, to, kind: "patch", maxBytes: 200 });
    expect(cut.isCut).toBe(true);
    expect(cut.text.length).toBeLessThanOrEqual(200);
    expect(cut.text.endsWith("\n")).toBe(true);
    expect(whole.text.startsWith(cut.text)).toBe(true);
    expect(cut.files).toHaveLength(whole.files.length);
  });

  it("runs none of the programs that a repository names for it", async () => {
    const ran = join(project.root, "../ran");
    mkdirSync(join(project.root, ".git/info"), { recursive: true });
    writeFileSync(join(project.root, ".git/info/attributes"), "* diff=evil\n");
    project.git("config", "diff.external", `touch ${ran} #`);
    project.git("config", "diff.evil.textconv", `touch ${ran} #`);
    project.git("config", "diff.evil.command", `touch ${ran} #`);
    for (const kind of ["stat", "names", "patch"] as const)
      await readDiff(project.repository, { from, to, kind });
    expect(existsSync(ran)).toBe(false);
    execFileSync("git", ["diff", from, to], { cwd: project.root });
    expect(existsSync(ran)).toBe(true);
  });
});
