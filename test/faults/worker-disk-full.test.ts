import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Cluster, makeCluster } from "../e2e/cluster-machines.ts";
import { until } from "../e2e/project.ts";
import { startPostgres, type PostgresService } from "../services.ts";
import { MIB, mountDisk, type SmallDisk } from "./small-disk.ts";
import { withMounts } from "./with-mounts.ts";

let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
  // The same file may run again inside a user namespace, where it cannot start a server.
  process.env["TEST_PG_URL"] = postgres.url;
});
afterAll(() => postgres.stop());

withMounts(import.meta.url, () => {
  let disk: SmallDisk;
  let cluster: Cluster;
  beforeEach(async () => {
    disk = mountDisk(64 * MIB);
    cluster = makeCluster({ url: postgres.url });
    await cluster.begin();
    const folder = dirname(cluster.project.root);
    execFileSync("git", ["clone", "--quiet", cluster.project.root, join(disk.path, "w1")]);
    symlinkSync(join(disk.path, "w1"), join(folder, "w1"));
    mkdirSync(join(folder, "home-w1"));
  });
  afterEach(async () => {
    try {
      disk.free();
      await cluster.remove();
    } finally {
      disk.unmount();
    }
  });

  const readMachines = async (): Promise<unknown> =>
    (await cluster.project.json("cluster", "status"))["machines"];

  it("a worker machine refuses to start while its disk is full", async () => {
    disk.fill(MIB);
    const ran = await cluster.project.ambit(
      "-C",
      join(disk.path, "w1"),
      "worker",
      "--name",
      "w1",
      "--trust-agents",
    );
    expect([ran.status, ran.stdout]).toEqual([6, ""]);
    expect(ran.stderr).toMatch(/^✖ DISK_FULL {2}The disk of .* free; this needs at least/);
    expect(await readMachines()).toEqual([]);
  });

  it("a worker machine takes no attempts while its disk is full, says so, and says when there is room again", async () => {
    const machine = await cluster.start("w1", "--trust-agents");
    disk.fill(MIB);
    await until("the coordinator sees no free slot", async () =>
      JSON.stringify(await readMachines()).includes('"slots":4,"used":4'),
    );
    expect(machine.told()).toContain("no more attempts are taken until there is room: The disk of");
    await cluster.project.ambit("run", "Wait", "--id", "S1", "--detach", "--check", "true", "--", "true");
    const second = await cluster.start("w2", "--trust-agents");
    await until("another machine has run it", async () => (await cluster.attempts()).length > 0);
    expect(await cluster.attempts()).toEqual(["S1.1 w2"]);
    await second.kill();
    disk.free();
    await until("it is there again", () => machine.told().includes("there is room on the disk again"));
  });
});
