import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findOwnCgroup } from "../../src/containment/launcher/cgroup.ts";
import { sweepEmptyGroups } from "../../src/containment/sweep-groups.ts";
import { randomBase36 } from "../../src/base/ids.ts";

const parent = makeParent();

/** Only root can create groups; for another user there are none to sweep. */
function makeParent(): string | undefined {
  const own = findOwnCgroup();
  if (own.kind === "none") return undefined;
  try {
    const path = join(own.path, `sweep-test-${randomBase36(8)}`);
    mkdirSync(path);
    return path;
  } catch {
    return undefined;
  }
}

describe.skipIf(parent === undefined)("empty groups", () => {
  it("are removed, while used and foreign groups stay", async () => {
    const root = parent ?? "";
    const [left, used, foreign] = [join(root, "ambit-left"), join(root, "ambit-used"), join(root, "other")];
    for (const path of [left, used, foreign]) mkdirSync(path);
    const sleeper = spawn("sleep", ["600"]);
    await once(sleeper, "spawn");
    writeFileSync(join(used, "cgroup.procs"), String(sleeper.pid));
    expect(await sweepEmptyGroups(root, 10)).toBe(1);
    expect([left, used, foreign].map(existsSync)).toEqual([false, true, true]);
    const gone = once(sleeper, "exit");
    sleeper.kill("SIGKILL");
    await gone;
    for (const path of [used, foreign, root]) removeWhenFree(path);
  });
});

it("no empty groups are found on a system without groups", async () => {
  expect(await sweepEmptyGroups("/proc/self/task", 10)).toBe(0);
});

/** The kernel frees a group a moment after its last process. */
function removeWhenFree(path: string): void {
  for (let tries = 0; tries < 1000; tries += 1)
    try {
      return rmdirSync(path);
    } catch {
      // Still busy.
    }
}
