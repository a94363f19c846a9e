import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomBase36 } from "../../src/base/ids.ts";
import type { ContainmentTier } from "../../src/containment/contained-process.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { isStillRunning } from "../../src/containment/process-identity.ts";
import { reapLeftovers } from "../../src/containment/reap-leftovers.ts";
import { findByToken, hostileAgent, killByToken } from "./hostile-agent.ts";
import { newToken, WIDE } from "./launch-for-test.ts";
import { bundleOwner, type Owner, startOwner } from "./start-owner.ts";

const available = (await probeContainment()).tiers.filter((tier) => tier.available).map(({ tier }) => tier);
const strong = available.filter((tier) => tier !== "process-group");
const NOBODY = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

let bundle: Awaited<ReturnType<typeof bundleOwner>>;
let directory: string;

beforeAll(async () => {
  bundle = await bundleOwner();
  directory = mkdtempSync(join(tmpdir(), "ambit-death-"));
  // One test runs as an ordinary user, who writes here as well.
  chmodSync(directory, 0o777);
});

afterAll(() => {
  bundle.remove();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(strong)("an owner that is killed in the tier %s", (tier) => {
  it("leaves nothing running", async () => {
    const token = newToken();
    const owner = startHostile(tier, token);
    await owner.seen("line-read", ({ text }) => text === "ready");
    owner.child.kill("SIGKILL");
    await untilGone(token);
    expect(findByToken(token)).toStrictEqual([]);
  });

  it("leaves nothing running even if its agent is still starting", async () => {
    const tokens = await Promise.all(
      [0, 3, 6, 10, 15].map(async (ms) => {
        const token = newToken();
        const owner = startHostile(tier, token);
        await owner.seen("launched");
        await delay(ms);
        owner.child.kill("SIGKILL");
        return token;
      }),
    );
    for (const token of tokens) await untilGone(token);
    expect(tokens.flatMap((token) => findByToken(token))).toStrictEqual([]);
  });
});

it("the reaper ends what a killed owner left in the process-group tier, except a process without any trace to it", async () => {
  const token = newToken();
  const owner = startHostile("process-group", token);
  const { record } = await owner.seen("launched");
  await owner.seen("line-read", ({ text }) => text === "ready");
  owner.child.kill("SIGKILL");
  await new Promise((resolve) => owner.child.once("exit", resolve));
  expect(findByToken(token)).toHaveLength(5);
  expect(isStillRunning(record.identity)).toBe(true);

  const [outcome] = await reapLeftovers([record]);
  expect(outcome).toMatchObject({ runId: record.runId, status: "ended", survivors: [] });
  expect(outcome?.killed).toContain(record.identity.pid);
  expect(findByToken(token)).toHaveLength(1);
  killByToken(token);
  expect(await reapLeftovers([record])).toMatchObject([{ status: "nothing-left", killed: [] }]);
});

it("the reaper ends a tree whose launcher was stopped when its owner died", async () => {
  const token = newToken();
  const owner = startHostile("subreaper", token);
  const { record } = await owner.seen("launched");
  await owner.seen("line-read", ({ text }) => text === "ready");
  process.kill(record.identity.pid, "SIGSTOP");
  owner.child.kill("SIGKILL");
  await new Promise((resolve) => owner.child.once("exit", resolve));
  expect(findByToken(token).length).toBeGreaterThanOrEqual(5);
  expect(await reapLeftovers([record])).toMatchObject([{ status: "ended", survivors: [] }]);
  expect(findByToken(token)).toStrictEqual([]);
});

it("the reaper does not end itself when it runs inside the tree that it ends", async () => {
  const runId = `test-${randomBase36(16)}`;
  const other = spawn("/bin/sleep", ["300"], { stdio: "ignore", env: { AMBIT_RUN_ID: runId } });
  const announced = { runId, uid: process.getuid?.() ?? 0, identity: null, cgroup: null };
  const reaper = startOwner(bundle.path, { reap: [announced] }, ["/usr/bin/env", `AMBIT_RUN_ID=${runId}`]);
  const { outcomes } = await reaper.seen("reaped");
  expect(outcomes).toMatchObject([{ status: "ended", killed: [other.pid] }]);
});

const tiersOfNobody: readonly ContainmentTier[] = ["pid-namespace", "subreaper"];

it.runIf(process.getuid?.() === 0).each(tiersOfNobody)(
  "an owner of an ordinary user leaves nothing running when it is killed in the tier %s",
  async (tier) => {
    const token = newToken();
    const owner = startHostile(tier, token, NOBODY);
    await owner.seen("line-read", ({ text }) => text === "ready");
    expect(findByToken(token).length).toBeGreaterThanOrEqual(5);
    owner.child.kill("SIGKILL");
    await untilGone(token);
    expect(findByToken(token)).toStrictEqual([]);
  },
);

function startHostile(tier: ContainmentTier, token: string, prefix: readonly string[] = []): Owner {
  const request = {
    argv: hostileAgent(token, "stay"),
    cwd: "/",
    environment: { PATH: "/usr/bin:/bin" },
    logDirectory: join(directory, token),
    runId: `test-${randomBase36(16)}`,
    limits: WIDE,
    tier,
  };
  return startOwner(bundle.path, request, prefix);
}

async function untilGone(token: string): Promise<void> {
  const until = performance.now() + 5000;
  while (findByToken(token).length > 0 && performance.now() < until) await delay(5);
}
