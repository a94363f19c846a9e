import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";

let project: Project;
let outside: string;

beforeEach(() => {
  project = makeProject();
  outside = join(project.root, "..");
});
afterEach(() => project.remove());

const usage = (usd: number): string =>
  `echo '{"ambit":"usage","input_tokens":10,"output_tokens":5,"usd":${usd}}'`;

/** The agent reports once, then twice while its supervisor is stopped and cannot book. Then the supervisor is killed. */
async function spendUnseen(...options: string[]): Promise<void> {
  const once = `if [ "$AMBIT_ATTEMPT" = 1 ]; then ${usage(0.004)}; touch ${outside}/begun; until [ -f ${outside}/go ]; do sleep 0.1; done;`;
  const line = `${once} ${usage(0.004)}; ${usage(0.004)}; touch ${outside}/spent; sleep 300; fi; ${usage(0.001)}; echo x > b.txt`;
  const words = ["--detach", "--check", "test -f b.txt", ...options, "--", "sh", "-c", line];
  await project.ambit("run", "Spend", "--id", "U1", ...words);
  await until("it has begun", () => existsSync(join(outside, "begun")));
  await until("its first report is booked", async () => (await spent()) === 0.004);
  const pid = await project.supervisorPid();
  process.kill(pid, "SIGSTOP");
  writeFileSync(join(outside, "go"), "");
  await until("it has spent more", () => existsSync(join(outside, "spent")));
  process.kill(pid, "SIGKILL");
}

async function spent(): Promise<unknown> {
  return (await project.json("status", "U1"))["total_cost_usd"];
}

describe("usage from before the supervisor was killed", () => {
  it("is booked once, when the work continues", async () => {
    await spendUnseen();
    expect(await spent()).toBe(0.004);
    expect((await project.ambit("resume", "U1")).status).toBe(0);
    expect(await project.json("status", "U1")).toMatchObject({ status: "completed", total_cost_usd: 0.013 });
  });

  it("counts against the budget, so that no further attempt is made beyond it", async () => {
    await spendUnseen("--budget", "0.01");
    expect((await project.ambit("resume", "U1")).status).not.toBe(0);
    const { status, total_cost_usd: cost } = await project.json("status", "U1");
    expect([status, cost]).toStrictEqual(["partial", 0.012]);
    expect((await project.ambit("explain", "U1")).stdout).toContain("COST_LIMIT_EXCEEDED");
  });
});
