import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

/** A commit on the story's branch, made where no file of the user is touched. */
export function commitElsewhere(
  project: TemporaryRepository,
  change: (path: string) => void,
  parent: string,
): string {
  const path = join(project.root, "..", "story");
  project.git("worktree", "add", "-q", "--detach", path, parent);
  try {
    change(path);
    const git = (...words: string[]): string =>
      execFileSync("git", words, {
        cwd: path,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] ?? "", HOME: project.home },
      });
    git("add", "-A", "-f");
    git("commit", "-qm", "Story");
    return git("rev-parse", "HEAD").trim();
  } finally {
    project.git("worktree", "remove", "--force", path);
  }
}

/** Writes the given files below a folder; null removes one. */
export function edit(files: Readonly<Record<string, string | null>>): (path: string) => void {
  return (path) => {
    for (const [name, content] of Object.entries(files)) {
      if (content === null) rmSync(join(path, name));
      else {
        mkdirSync(join(path, name, ".."), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    }
  };
}

/** Everything but times and the places of files on disk, which moving files there and back changes. */
export function readContentState(project: TemporaryRepository): Readonly<Record<string, string>> {
  const state = Object.entries(userState(project)).filter(([path]) => !path.startsWith(".git/"));
  const staged = project.git("ls-files", "--stage", "-v");
  return {
    ...Object.fromEntries(state.map(([path, facts]) => [path, facts.replace(/^(\d+) \d+ \d+ /, "$1 ")])),
    staged,
    head: readFileSync(join(project.root, ".git/HEAD"), "utf8"),
  };
}
