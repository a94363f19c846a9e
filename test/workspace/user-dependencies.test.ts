import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;
let pool: WorkspacePool | undefined;

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "node_modules/\n",
    "package.json": '{"name":"x","version":"1.0.0"}',
    "package-lock.json":
      '{"name":"x","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"x","version":"1.0.0"}}}',
  });
  project.write("node_modules/left/index.js", "original\n");
  project.write("node_modules/.bin/tool", "#!/bin/sh\n");
  project.write("node_modules/@scope/deep/lib/index.js", "original\n");
  symlinkSync("../left/index.js", join(project.root, "node_modules/.bin/link"));
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
  project.remove();
});

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

/** Every name below a folder with kind, rights and content. */
function contentOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return names.map((name) => {
    const stats = lstatSync(join(folder, name));
    const content = stats.isFile() ? readFileSync(join(folder, name)) : "";
    return `${name} ${stats.mode.toString(8)} ${createHash("sha1").update(content).digest("hex")}`;
  });
}

const cruelties = [
  ["npm ci", "npm ci --offline --no-audit --no-fund"],
  ["rm -rf node_modules/*", "rm -rf node_modules/* node_modules/.bin"],
  ["rm -rf node_modules/", "rm -rf node_modules/"],
  ["writing in place", "for file in $(find node_modules -type f); do echo changed >> $file; done"],
  ["changing rights", "chmod -R 700 node_modules && chmod +x node_modules/left/index.js"],
] as const;

describe.each(["auto", "copy"] as const)("the user's node_modules (%s)", (dependencyWay) => {
  const suffer = async (
    make: (id: string) => Promise<Workspace>,
    command: string,
    giveBack: (workspace: Workspace) => Promise<void>,
  ): Promise<void> => {
    const users = join(project.root, "node_modules");
    const before = contentOf(users);
    const first = await make("US-1-DEL-001");
    expect(contentOf(join(first.path, "node_modules"))).toStrictEqual(before);
    execFileSync("/bin/sh", ["-c", command], { cwd: first.path, stdio: "pipe" });
    const after = contentOf(first.path).filter((line) => line.startsWith("node_modules/"));
    expect(after).not.toStrictEqual(before.map((line) => `node_modules/${line}`));
    expect(contentOf(users)).toStrictEqual(before);
    await giveBack(first);
    // A pool may have made another one meanwhile; then the one after that is the first one again.
    for (const id of ["US-1-DEL-002", "US-1-DEL-003"])
      expect(contentOf(join((await make(id)).path, "node_modules"))).toStrictEqual(before);
    expect(contentOf(users)).toStrictEqual(before);
  };

  it.each(cruelties)("survive `%s` in a workspace, and so do the next worker's", async (_, command) => {
    const { repository, stateDirectory } = project;
    const settings = { repository, stateDirectory, dependencyWay };
    await suffer(
      (id) => createWorkspace(settings, { id, base: head() }),
      command,
      () => Promise.resolve(),
    );
  });

  it.each(cruelties)(
    "survive `%s` in a pooled workspace, and the next one is complete",
    async (_, command) => {
      const { repository, stateDirectory } = project;
      const open = new WorkspacePool({ repository, stateDirectory, dependencyWay, size: 1, settleMs: 0 });
      pool = open;
      open.aimAtCommit(head());
      await open.settled();
      const paths: string[] = [];
      await suffer(
        async (id) => {
          const workspace = await open.takeWorkspace({ id, base: head() });
          paths.push(workspace.path);
          return workspace;
        },
        command,
        async ({ id, path }) => {
          await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
          expect((await open.giveBack({ id, path })).status).toBe("released");
          await open.settled();
        },
      );
      expect(paths.slice(1)).toContain(paths[0]);
    },
  );
});

describe.each(["auto", "copy"] as const)("a node_modules that is a link (%s)", (dependencyWay) => {
  it.each(["node_modules\n", "node_modules/\n"])(
    "is copied with %j ignored, and stays as it was",
    async (ignored) => {
      const shared = join(project.home, "shared");
      renameSync(join(project.root, "node_modules"), shared);
      symlinkSync(shared, join(project.root, "node_modules"));
      project.write(".gitignore", ignored);
      project.git("commit", "--allow-empty", "-qam", "Ignore");
      const before = contentOf(shared);
      const { repository, stateDirectory } = project;
      const settings = { repository, stateDirectory, dependencyWay };
      const workspace = await createWorkspace(settings, { id: "US-1-DEL-001", base: head() });
      const brought = join(workspace.path, "node_modules");
      expect(lstatSync(brought).isDirectory()).toBe(true);
      expect(readFileSync(join(brought, "left/index.js"), "utf8")).toBe("original\n");
      execFileSync("sh", ["-c", "rm -rf node_modules/* && echo x > node_modules/new"], {
        cwd: workspace.path,
      });
      expect(contentOf(shared)).toStrictEqual(before);
    },
  );
});

it("a workspace has the files that yarn uses instead of node_modules, and no other ignored files", async () => {
  project.write(".gitignore", ".pnp.*\n.yarn/*\n!.yarn/patches\n.env\n");
  project.git("commit", "-qam", "Ignore");
  const brought = [".pnp.cjs", ".pnp.loader.mjs", ".yarn/install-state.gz", ".yarn/unplugged/a/index.js"];
  for (const path of [...brought, ".env", "packages/a/.pnp.data"]) project.write(path, "mine\n");
  const { repository, stateDirectory } = project;
  const { path } = await createWorkspace(
    { repository, stateDirectory },
    { id: "US-1-DEL-001", base: head() },
  );
  const there = [...brought, ".env", "packages/a/.pnp.data"].filter((name) => existsSync(join(path, name)));
  expect(there).toStrictEqual(brought);
});

it("a link into the user's node_modules would be noticed (control)", () => {
  const folder = join(project.root, "..", "linked");
  mkdirSync(folder);
  symlinkSync(join(project.root, "node_modules"), join(folder, "node_modules"));
  const before = contentOf(join(project.root, "node_modules"));
  execFileSync("/bin/sh", ["-c", "rm -rf node_modules/*"], { cwd: folder });
  expect(contentOf(join(project.root, "node_modules"))).not.toStrictEqual(before);
});
