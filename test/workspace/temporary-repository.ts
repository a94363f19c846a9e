import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listMounts } from "../../src/workspace/prepare/overlay.ts";
import { openRepository, type Repository } from "../../src/workspace/repository.ts";

export interface TemporaryRepository {
  readonly repository: Repository;
  /** The user's checkout. */
  readonly root: string;
  readonly home: string;
  readonly stateDirectory: string;
  /** Runs the user's own git there. */
  git(...words: string[]): string;
  write(path: string, content: string): void;
  remove(): void;
}

/** The user's git, as plain as it is on a new machine. */
export function runPlainGit(directory: string, words: readonly string[], home: string): string {
  return execFileSync("git", words, {
    cwd: directory,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** `rm -rf`, as a person would: of a mount, all goes but the folder itself. */
export function removeByHand(path: string): void {
  spawnSync("rm", ["-rf", path]);
}

/** A real repository in a temporary folder, with one commit holding `files`. */
export async function makeRepository(
  files: Readonly<Record<string, string>> = {
    "README.md": "hello\n",
    "src/a.txt": "a\n",
    "src/b.txt": "b\n",
  },
): Promise<TemporaryRepository> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-workspace-")));
  const root = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home);
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n",
  );
  const git = (...words: string[]): string => runPlainGit(root, words, home);
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  git("init", "-q");
  for (const [path, content] of Object.entries(files)) write(path, content);
  git("add", "-A");
  git("commit", "-qm", "Start");
  const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
  return {
    repository,
    root,
    home,
    stateDirectory: join(root, ".git", "ambit"),
    git,
    write,
    remove: () => {
      for (const target of listMounts(folder).toReversed()) execFileSync("umount", ["-l", target]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}
