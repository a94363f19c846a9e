import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What the user made, as text: files, index, stash, HEAD, branches, tags, configuration, hooks. */
export function describeUser(root: string, home: string): string {
  const git = (...words: string[]): string =>
    execFileSync("git", words, {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: home, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
      maxBuffer: 64 * 1024 * 1024,
    });
  const refs = git("for-each-ref", "--format=%(refname) %(objectname)")
    .split("\n")
    .filter((line) => !line.startsWith("refs/ambit/") && !line.startsWith("refs/heads/delegation/"));
  return [
    "# files",
    ...files(root, ""),
    "# index",
    git("ls-files", "-s", "-v"),
    "# refs",
    ...refs,
    "# head",
    readFileSync(join(root, ".git/HEAD"), "utf8"),
    "# stash",
    git("stash", "list", "--format=%H %s"),
    "# configuration",
    readFileSync(join(root, ".git/config"), "utf8"),
    "# git folder",
    ...readdirSync(join(root, ".git"))
      .filter((name) => !["ambit", "worktrees", "logs", "packed-refs", "ORIG_HEAD", "gc.log"].includes(name))
      .toSorted(),
    ...readdirSync(join(root, ".git/hooks")).toSorted(),
  ].join("\n");
}

function files(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (path === ".git") return [];
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) return files(root, path);
      const content = stats.isSymbolicLink()
        ? readlinkSync(join(root, path))
        : readFileSync(join(root, path));
      return [`${path} ${stats.mode.toString(8)} ${createHash("sha1").update(content).digest("hex")}`];
    });
}
