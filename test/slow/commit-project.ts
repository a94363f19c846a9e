import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes the files of a project below its folder and makes a repository of it with one commit. */
export function commitProject(
  root: string,
  files: Readonly<Record<string, string>>,
  message = "start",
): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...words: string[]): void =>
    void execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
      cwd: root,
      stdio: "ignore",
    });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "-A");
  git("commit", "--quiet", "-m", message);
}
