import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parsePatch } from "../../../src/dashboard/app/diff/parse-patch.ts";

it("parses git's output: files, hunks, and lines with their numbers on both sides", () => {
  const [file, ...others] = parsePatch(changed("one\ntwo\nthree\n", "one\n2\nthree\nfour\n"));
  expect(others).toStrictEqual([]);
  expect(file?.path).toBe("a.txt");
  expect(file?.lines.map(({ kind, text, oldLine, newLine }) => [kind, text, oldLine, newLine])).toStrictEqual(
    [
      ["hunk", "@@ -1,3 +1,4 @@", null, null],
      ["same", "one", 1, 1],
      ["removed", "two", 2, null],
      ["added", "2", null, 2],
      ["same", "three", 3, 3],
      ["added", "four", null, 4],
    ],
  );
});

it("treats content that looks like a patch as content", () => {
  const [file] = parsePatch(changed("one\n", "one\ndiff of it\n--- a/b\n+++ b/c\n@@ -1 +1 @@\n"));
  expect(file?.path).toBe("a.txt");
  expect(file?.lines.filter(({ kind }) => kind === "added").map(({ text }) => text)).toStrictEqual([
    "diff of it",
    "--- a/b",
    "+++ b/c",
    "@@ -1 +1 @@",
  ]);
});

it("reports a binary file, and a last line without a line end", () => {
  const [binary] = parsePatch(changed("\0\u0001", "\0\u0002"));
  expect(binary?.lines).toMatchObject([{ kind: "note" }]);
  const [open] = parsePatch(changed("one\n", "one\ntwo"));
  expect(open?.lines.at(-1)).toMatchObject({ kind: "note", text: "No newline at end of file" });
});

it("keeps the readable part of a truncated patch", () => {
  const whole = changed("a\nb\nc\nd\n", "a\nB\nc\nD\n");
  const [file] = parsePatch(whole.slice(0, whole.indexOf("+D")));
  expect(file?.lines.at(-1)).toMatchObject({ text: expect.any(String) });
  expect(parsePatch("")).toStrictEqual([]);
});

/** Git's patch of one file whose content changed. */
function changed(before: string, after: string): string {
  const folder = mkdtempSync(join(tmpdir(), "ambit-patch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
      cwd: folder,
      encoding: "utf8",
    });
  git("init", "--quiet");
  writeFileSync(join(folder, "a.txt"), before);
  git("add", "a.txt");
  git("commit", "--quiet", "-m", "before");
  writeFileSync(join(folder, "a.txt"), after);
  return git("diff");
}
