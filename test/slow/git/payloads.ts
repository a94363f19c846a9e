import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { config, naive, ownGitDirectory, type Payload, put, type Stage, withEnvironment } from "./payload.ts";

/** Ways in which files that a worker can write make git run a program. */
export const payloads: readonly Payload[] = [
  ...[
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "pre-commit",
    "post-commit",
    "pre-auto-gc",
  ].map(hookPayload),
  {
    name: "core.hooksPath into the tree",
    plant: (stage) => {
      hook(stage.path, ".husky/post-commit", stage);
      hook(stage.path, ".husky/reference-transaction", stage);
      hook(stage.path, ".husky/post-checkout", stage);
      config(stage, stage.path, "core.hooksPath", ".husky");
    },
    control: (stage) => naive(stage, stage.path, "commit", "--no-verify", "--allow-empty", "-m", "x"),
  },
  {
    name: "core.fsmonitor in the shared configuration",
    plant: (stage) => config(stage, stage.path, "core.fsmonitor", `${stage.fire};:`),
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: "clean filter",
    plant: (stage) => plantFilter(stage, "filter.evil.clean"),
    control: (stage) => naive(stage, stage.path, "add", "-A"),
  },
  {
    name: "required clean filter",
    plant: (stage) => {
      plantFilter(stage, "filter.evil.clean");
      config(stage, stage.path, "filter.evil.required", "true");
    },
    control: (stage) => naive(stage, stage.path, "add", "-A"),
  },
  {
    name: "filter process",
    plant: (stage) => plantFilter(stage, "filter.evil.process"),
    control: (stage) => naive(stage, stage.path, "add", "-A"),
  },
  {
    name: "smudge filter on a committed tree",
    plant: (stage) => {
      put(stage.path, ".gitattributes", "*.txt filter=evil\n");
      put(stage.path, "src/new.txt", "x\n");
      naive(stage, stage.path, "add", "-A");
      naive(stage, stage.path, "commit", "-qm", "Hostile tree");
      config(stage, stage.path, "filter.evil.smudge", `${stage.fire};cat`);
    },
    control: (stage) => {
      rmSync(join(stage.path, "src/new.txt"));
      naive(stage, stage.path, "checkout", "--", "src/new.txt");
    },
  },
  {
    name: "an existing filter of the project, redefined",
    plant: (stage) => {
      put(stage.project.root, ".gitattributes", "*.txt filter=known\n");
      stage.project.git("add", "-A");
      stage.project.git("commit", "-qm", "Attributes");
      // Of the same size, so that git has to look inside.
      put(stage.path, "src/a.txt", "z\n");
      put(stage.project.root, "src/a.txt", "z\n");
      config(stage, stage.path, "filter.known.clean", `${stage.fire};cat`);
    },
    control: (stage) => naive(stage, stage.project.root, "status"),
  },
  {
    name: "attributes in the shared info folder",
    plant: (stage) => {
      put(stage.commonDirectory, "info/attributes", "* filter=evil diff=evil\n");
      put(stage.path, "src/a.txt", "changed\n");
      config(stage, stage.path, "filter.evil.clean", `${stage.fire};cat`);
    },
    control: (stage) => naive(stage, stage.path, "add", "-A"),
  },
  {
    name: "textconv",
    plant: (stage) => {
      put(stage.path, ".gitattributes", "*.txt diff=evil\n");
      put(stage.path, "src/a.txt", "changed\n");
      config(stage, stage.path, "diff.evil.textconv", `${stage.fire};cat`);
    },
    control: (stage) => naive(stage, stage.path, "diff"),
  },
  {
    name: "diff driver command",
    plant: (stage) => {
      put(stage.path, ".gitattributes", "*.txt diff=evil\n");
      put(stage.path, "src/a.txt", "changed\n");
      config(stage, stage.path, "diff.evil.command", `${stage.fire};:`);
    },
    control: (stage) => naive(stage, stage.path, "diff"),
  },
  {
    name: "diff.external",
    plant: (stage) => {
      put(stage.path, "src/a.txt", "changed\n");
      config(stage, stage.path, "diff.external", `${stage.fire};:`);
    },
    control: (stage) => naive(stage, stage.path, "diff"),
  },
  {
    name: ".git replaced by a folder with a monitor",
    plant: (stage) => {
      const own = ownGitDirectory(stage, "swap", "core.fsmonitor", `${stage.fire};:`);
      rmSync(join(stage.path, ".git"));
      cpSync(own, join(stage.path, ".git"), { recursive: true });
    },
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: ".git replaced by a folder with a filter",
    plant: (stage) => {
      const own = ownGitDirectory(stage, "swap", "filter.evil.clean", `${stage.fire};cat`);
      rmSync(join(stage.path, ".git"));
      cpSync(own, join(stage.path, ".git"), { recursive: true });
      put(stage.path, ".gitattributes", "* filter=evil\n");
    },
    control: (stage) => naive(stage, stage.path, "add", "-A"),
  },
  {
    name: ".git as a link to a foreign folder",
    plant: (stage) => {
      const own = ownGitDirectory(stage, "link", "core.fsmonitor", `${stage.fire};:`);
      rmSync(join(stage.path, ".git"));
      symlinkSync(own, join(stage.path, ".git"));
    },
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: ".git file that points elsewhere",
    plant: (stage) => {
      const own = ownGitDirectory(stage, "pointer", "core.fsmonitor", `${stage.fire};:`);
      writeFileSync(join(stage.path, ".git"), `gitdir: ${own}\n`);
    },
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: "commondir re-pointed",
    plant: (stage) => {
      const own = ownGitDirectory(stage, "common", "core.fsmonitor", `${stage.fire};:`);
      cpSync(join(stage.commonDirectory, "objects"), join(own, "objects"), { recursive: true });
      cpSync(join(stage.commonDirectory, "refs"), join(own, "refs"), { recursive: true });
      writeFileSync(join(stage.adminDirectory, "commondir"), `${own}\n`);
    },
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: "configuration of the worktree alone",
    plant: (stage) => {
      config(stage, stage.path, "extensions.worktreeConfig", "true");
      put(stage.adminDirectory, "config.worktree", `[core]\n\tfsmonitor = "${stage.fire};:"\n`);
    },
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: "configuration included from the tree",
    plant: (stage) => {
      put(stage.path, "build/git.inc", `[core]\n\tfsmonitor = "${stage.fire};:"\n`);
      config(stage, stage.path, "include.path", join(stage.path, "build/git.inc"));
    },
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: "core.worktree re-pointed",
    plant: (stage) => {
      put(stage.lair, "tree/.gitattributes", "* filter=evil\n");
      put(stage.lair, "tree/src/a.txt", "changed\n");
      config(stage, stage.path, "filter.evil.clean", `${stage.fire};cat`);
      config(stage, stage.path, "core.worktree", join(stage.lair, "tree"));
    },
    control: (stage) => naive(stage, stage.project.root, "add", "-A"),
  },
  {
    name: "nested repository, committed as a gitlink, with a monitor",
    plant: (stage) => plantNested(stage, ["core.fsmonitor", `${stage.fire};:`]),
    control: (stage) => naive(stage, stage.path, "status"),
  },
  {
    name: "nested repository, committed as a gitlink, with a filter",
    plant: (stage) => plantNested(stage, ["filter.evil.clean", `${stage.fire};cat`]),
    control: (stage) => naive(stage, stage.path, "add", "-A"),
  },
  {
    name: "nested repository, not committed",
    plant: (stage) => {
      put(stage.path, "nested/inner.txt", "x\n");
      naive(stage, join(stage.path, "nested"), "init", "-q");
      naive(stage, join(stage.path, "nested"), "add", "-A");
      config(stage, join(stage.path, "nested"), "core.fsmonitor", `${stage.fire};:`);
    },
    control: (stage) => naive(stage, join(stage.path, "nested"), "status"),
  },
  {
    name: "bare repository in a subfolder",
    plant: (stage) => {
      naive(stage, stage.path, "init", "-q", "--bare", "sub");
      config(stage, join(stage.path, "sub"), "core.bare", "false", "core.worktree", "..");
      config(stage, join(stage.path, "sub"), "core.fsmonitor", `${stage.fire};:`);
    },
    control: (stage) => naive(stage, join(stage.path, "sub"), "status"),
  },
  {
    name: ".gitmodules with an update command",
    plant: (stage) => {
      plantNested(stage, []);
      put(stage.path, ".gitmodules", '[submodule "nested"]\n\tpath = nested\n\turl = ./nested\n');
      naive(stage, stage.path, "add", ".gitmodules");
      naive(stage, stage.path, "commit", "-qm", "Submodule");
      config(stage, stage.path, "submodule.nested.url", join(stage.path, "nested"));
      config(stage, stage.path, "submodule.nested.update", `!${stage.fire};:`);
      config(stage, stage.path, "submodule.recurse", "true");
      const gitlink = readFileSync(join(stage.path, "nested/.git/HEAD"), "utf8");
      put(stage.path, "nested/other.txt", gitlink);
      naive(stage, join(stage.path, "nested"), "add", "-A");
      naive(stage, join(stage.path, "nested"), "commit", "-qm", "Moved on");
    },
    control: (stage) => naive(stage, stage.path, "submodule", "update"),
  },
  {
    name: "missing object with a promisor that is a command",
    plant: (stage) => {
      put(stage.lair, "server", `#!/bin/sh\n${stage.fire}\n`, 0o755);
      plantPromisor(stage, ["remote.evil.url", `ext::${stage.lair}/server`, "protocol.ext.allow", "always"]);
    },
    control: (stage) => naive(stage, stage.path, "log", "-p", "-1", "HEAD"),
  },
  {
    name: "missing object with a promisor that has its own server command",
    plant: (stage) =>
      plantPromisor(stage, [
        "remote.evil.url",
        stage.project.root,
        "remote.evil.uploadpack",
        `${stage.fire};:`,
      ]),
    control: (stage) => naive(stage, stage.path, "log", "-p", "-1", "HEAD"),
  },
  {
    name: "missing object with a promisor behind an ssh command",
    plant: (stage) =>
      plantPromisor(stage, ["remote.evil.url", "ssh://host/x", "core.sshCommand", `${stage.fire};:`]),
    control: (stage) => naive(stage, stage.path, "log", "-p", "-1", "HEAD"),
  },
  {
    name: "signing program",
    plant: (stage) => {
      put(stage.lair, "gpg", `#!/bin/sh\n${stage.fire}\n`, 0o755);
      put(stage.path, "src/a.txt", "changed\n");
      config(stage, stage.path, "commit.gpgSign", "true", "gpg.program", join(stage.lair, "gpg"));
    },
    control: (stage) => naive(stage, stage.path, "commit", "-qam", "x"),
  },
  {
    name: "editor",
    plant: (stage) => {
      put(stage.path, "src/a.txt", "changed\n");
      config(stage, stage.path, "core.editor", `${stage.fire};:`);
    },
    control: (stage) => naive(stage, stage.path, "commit", "-qa"),
  },
  {
    name: "merge driver",
    plant: (stage) => {
      put(stage.path, ".gitattributes", "*.txt merge=evil\n");
      put(stage.path, "src/a.txt", "theirs\n");
      naive(stage, stage.path, "add", "-A");
      naive(stage, stage.path, "commit", "-qm", "Theirs");
      config(stage, stage.path, "merge.evil.driver", `${stage.fire};:`);
    },
    control: (stage) => {
      naive(stage, stage.path, "checkout", "-q", "-b", "side", "HEAD~1");
      put(stage.path, ".gitattributes", "*.txt merge=evil\n");
      put(stage.path, "src/a.txt", "ours\n");
      naive(stage, stage.path, "add", "-A");
      naive(stage, stage.path, "commit", "-qm", "Ours");
      naive(stage, stage.path, "merge", "@{-1}");
    },
  },
  {
    name: "names in the environment",
    plant: (stage) => put(stage.path, "src/a.txt", "changed\n"),
    environment: poison,
    control: (stage) => withEnvironment(poison(stage), () => naive(stage, stage.path, "diff")),
  },
];

function poison(stage: Stage): Readonly<Record<string, string>> {
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: `${stage.fire};:`,
    GIT_EXTERNAL_DIFF: `${stage.fire};:`,
    GIT_SSH_COMMAND: `${stage.fire};:`,
  };
}

function hookPayload(name: string): Payload {
  return {
    name: `${name} hook`,
    plant: (stage) => {
      hook(stage.commonDirectory, `hooks/${name}`, stage);
      put(stage.path, "src/a.txt", "changed\n");
      // As many as it takes for git to believe that it is time to clean up.
      for (const letter of "abc") put(stage.commonDirectory, `objects/17/${letter.repeat(38)}`, "");
      config(stage, stage.path, "gc.auto", "1", "gc.autoDetach", "false");
    },
    control: (stage) => {
      naive(stage, stage.path, "commit", "-qam", "x");
      naive(stage, stage.path, "checkout", "-q", "--detach");
      naive(stage, stage.path, "gc", "--auto");
    },
  };
}

function hook(folder: string, path: string, stage: Stage): void {
  put(folder, path, `#!/bin/sh\n${stage.fire}\n`);
  chmodSync(join(folder, path), 0o755);
}

function plantFilter(stage: Stage, key: string): void {
  put(stage.path, ".gitattributes", "* filter=evil\n");
  put(stage.path, "src/a.txt", "changed\n");
  config(stage, stage.path, key, `${stage.fire};cat`);
}

function plantNested(stage: Stage, settings: readonly string[]): void {
  const nested = join(stage.path, "nested");
  put(nested, "inner.txt", "x\n");
  naive(stage, nested, "init", "-q");
  naive(stage, nested, "add", "-A");
  naive(stage, nested, "commit", "-qm", "Inner");
  naive(stage, stage.path, "add", "nested");
  naive(stage, stage.path, "commit", "-qm", "Gitlink");
  put(nested, ".gitattributes", "* filter=evil\n");
  put(nested, "inner.txt", "y\n");
  config(stage, nested, ...settings);
}

/** A commit whose content is not there, in a repository that says where to fetch it. */
function plantPromisor(stage: Stage, settings: readonly string[]): void {
  put(stage.path, "package.json", `{"scripts":{"x":"${String(Math.random())}"}}\n`);
  naive(stage, stage.path, "add", "-A");
  naive(stage, stage.path, "commit", "-qm", "Will be missing");
  const line = stage.project.git("-C", stage.path, "ls-tree", "HEAD", "package.json");
  const id = line.split(/[ \t]/)[2] ?? "";
  rmSync(join(stage.commonDirectory, "objects", id.slice(0, 2), id.slice(2)), { force: true });
  config(stage, stage.path, "core.repositoryFormatVersion", "1");
  config(
    stage,
    stage.path,
    "remote.evil.promisor",
    "true",
    "remote.evil.fetch",
    "+refs/heads/*:refs/remotes/evil/*",
  );
  config(stage, stage.path, "extensions.partialClone", "evil", ...settings);
  mkdirSync(join(stage.lair, "unused"), { recursive: true });
}
