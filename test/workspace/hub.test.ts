import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Hub } from "../../src/workspace/hub.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { commitProject } from "../slow/commit-project.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-hub-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("takes two machines that find a new hub at the same moment", async () => {
  const [root, clone, bare] = ["project", "clone", "hub.git"].map((name) => join(folder, name));
  if (root === undefined || clone === undefined || bare === undefined) throw new Error("three names");
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  commitProject(root, { file: "one\n" });
  execFileSync("git", ["clone", "--quiet", root, clone]);
  const project = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  letTwoMeet(bare);
  const host = { searchPath: process.env["PATH"] ?? "", home: folder };
  const hubs = await Promise.all(
    [root, clone].map(async (place) => new Hub({ url: bare, repository: await openRepository(place, host) })),
  );
  await Promise.all(hubs.map((hub) => hub.check(project)));
  const refs = execFileSync("git", ["for-each-ref", "--format=%(refname)"], { cwd: bare, encoding: "utf8" });
  expect(refs.trim()).toBe("refs/ambit/project");
});

/** The first push waits until there is a second one; then both want to make the same ref. */
function letTwoMeet(bare: string): void {
  const hook = join(bare, "hooks", "update");
  mkdirSync(join(bare, "hooks"), { recursive: true });
  writeFileSync(
    hook,
    `#!/bin/sh
touch "${bare}/here.$$"
for try in $(seq 200); do
  [ "$(ls "${bare}" | grep -c here)" -ge 2 ] && exit 0
  sleep 0.05
done
exit 1
`,
  );
  chmodSync(hook, 0o755);
}
