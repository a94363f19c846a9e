import {
  copyFileSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  openSync,
  writeSync,
  closeSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyChain } from "../../src/journal/verify-journal.ts";
import { makeProject, type Project } from "../e2e/project.ts";
import { runCli, trustEverything } from "../e2e/run-cli.ts";

const overwrite = (file: string, from: number, bytes: number): void => {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(descriptor);
};
const removeLog = (file: string): void => {
  for (const name of [`${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
};

describe("a store that is damaged after its supervisor has left", () => {
  let project: Project;
  let file: string;
  beforeEach(async () => {
    project = makeProject();
    file = join(project.root, ".git/ambit/ambit.db");
    const words = [
      "run",
      "Work",
      "--id",
      "D1",
      "--check",
      "test -f x.txt",
      "--",
      "sh",
      "-c",
      "echo x > x.txt",
    ];
    expect((await project.ambit(...words)).status).toBe(0);
    await project.ambit("supervisor", "stop");
    removeLog(file);
  });
  afterEach(() => project.remove());

  it("had all its events in its own file, and a backup next to it", async () => {
    expect(await project.json("status")).toMatchObject({ story: "D1", status: "completed" });
    expect(statSync(`${file}.backup`).mode & 0o777).toBe(0o600);
    expect((await project.ambit("doctor", "--repair")).stdout).toMatch(
      /✔ repair +the store is sound: \d+ event/,
    );
  });

  it.each([
    ["its head is overwritten", (): void => overwrite(file, 0, 100)],
    ["it is cut", (): void => truncateSync(file, 9000)],
    ["most of it is overwritten", (): void => overwrite(file, 4096, statSync(file).size - 4096)],
  ])("is reported as damaged, with the way to repair it, and is repaired: %s", async (_name, damage) => {
    damage();
    for (const words of [["status"], ["list"], ["merge", "D1", "--yes"], ["run", "x", "--", "true"]]) {
      const refused = await project.ambit(...words);
      expect([words, refused.status, refused.stderr]).toEqual([
        words,
        6,
        expect.stringMatching(/STORE_DAMAGED [^]*ambit doctor --repair/),
      ]);
    }
    expect(await project.json("doctor")).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([
        expect.objectContaining({ name: "store", ok: false, next: "Repair it: ambit doctor --repair" }),
      ]),
    });
    const repaired = await project.ambit("doctor", "--repair");
    expect(repaired.stdout).toMatch(/! repair +\d+ events? restored from its backup \(.*damaged-/);
    expect(
      readdirSync(join(project.root, ".git/ambit")).filter((name) => name.startsWith("damaged-")),
    ).toHaveLength(1);
    await expectWhole();
  });

  it.each([
    ["deleted", (): void => rmSync(file)],
    ["emptied", (): void => truncateSync(file, 0)],
  ])("is reported by doctor when it was %s, and is restored", async (_name, damage) => {
    damage();
    expect(await project.json("doctor")).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([
        expect.objectContaining({
          name: "store",
          ok: false,
          next: "Restore its backup: ambit doctor --repair",
        }),
      ]),
    });
    await project.ambit("doctor", "--repair");
    await expectWhole();
  });

  it("is restored although the journal began again in the meantime", async () => {
    rmSync(file);
    expect((await project.ambit("run", "Next", "--id", "D2", "--", "touch", "y")).status).toBe(3);
    await project.ambit("supervisor", "stop");
    expect((await project.json("doctor"))["ok"]).toBe(false);
    expect((await project.ambit("doctor", "--repair")).stdout).toContain("restored from its backup");
    expect(await project.json("status", "D1")).toMatchObject({ status: "completed" });
  });

  const removeStore = (): void => {
    for (const name of [file, `${file}.backup`]) rmSync(name);
  };
  it.each([
    ["damaged", (): void => overwrite(file, 0, 100)],
    ["deleted, with its backup", removeStore],
  ])("lets finished work be merged from git alone, and undone, when it is %s", async (_name, damage) => {
    damage();
    const head = project.git("rev-parse", "main");
    const refused = await project.ambit("merge", "D1", "--yes");
    expect([refused.status, refused.stderr]).toEqual([
      6,
      expect.stringContaining("ambit merge D1 --partial"),
    ]);
    expect(project.git("rev-parse", "main")).toBe(head);
    expect(await project.json("merge", "D1", "--partial", "--yes")).toMatchObject({ merged: true });
    expect(project.git("show", "main:x.txt")).toBe("x\n");
    expect(await project.json("merge", "D1", "--undo", "--yes")).toMatchObject({ status: "undone" });
    expect(project.git("rev-parse", "main")).toBe(head);
    expect((await project.ambit("merge", "D7", "--partial", "--yes")).stderr).not.toContain("--partial");
  });

  it("is repaired from its remaining content if there is no backup", async () => {
    rmSync(`${file}.backup`);
    // The end of the file is free space. SQLite refuses the whole file without it.
    truncateSync(file, statSync(file).size - 512 * 1024);
    expect((await project.ambit("status")).stderr).toContain("STORE_DAMAGED");
    const repaired = await project.ambit("doctor", "--repair");
    expect(repaired.stdout).toMatch(/! repair +\d+ events? saved from the damaged file/);
    await expectWhole();
    expect(existsSync(`${file}.salvaged`)).toBe(false);
  });

  it("is repaired by the next call if a repair was killed when it had moved the damaged file away", async () => {
    rmSync(`${file}.backup`);
    truncateSync(file, statSync(file).size - 512 * 1024);
    const preload = join(project.root, "../die.cjs");
    writeFileSync(
      preload,
      `const fs = require("node:fs");
      const { renameSync } = fs;
      fs.renameSync = (from, to) => {
        if (to === ${JSON.stringify(file)}) process.kill(process.pid, "SIGKILL");
        renameSync(from, to);
      };`,
    );
    const [directory, home] = [project.root, join(project.root, "../home")];
    const environment = { ...trustEverything, NODE_OPTIONS: `--require ${preload}` };
    const killed = await runCli(["doctor", "--repair"], { directory, home, environment });
    expect([killed.status, existsSync(file)]).toEqual([null, false]);
    expect((await project.ambit("doctor", "--repair")).stdout).toContain("the store is sound");
    await expectWhole();
    expect(readdirSync(join(project.root, ".git/ambit"))).not.toContain("ambit.db.repaired");
  });

  it.each([
    ["text", "body = replace(body, 'Work', 'Wark')", "saved from the damaged file and its backup"],
    ["column", "type = 'story-opend'", "saved from the damaged file ("],
  ])("keeps its backup when the %s of an event changed, and loses no event", async (_name, change, from) => {
    const damaged = new DatabaseSync(file);
    damaged.exec(`UPDATE events SET ${change} WHERE type = 'story-opened'`);
    damaged.close();
    const next = ["run", "Next", "--id", "D2", "--check", "true", "--", "touch", "y"];
    expect((await project.ambit(...next)).status).toBe(0);
    await project.ambit("supervisor", "stop");
    removeLog(file);
    const { firstBad } = verifyChain(file);
    expect(firstBad).toBeDefined();
    expect(verifyChain(`${file}.backup`)).not.toHaveProperty("firstBad");
    expect(await project.json("doctor")).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([
        expect.objectContaining({
          name: "store",
          ok: false,
          detail: expect.stringContaining(`event ${firstBad?.seq ?? 0}`),
          next: "Repair it: ambit doctor --repair",
        }),
      ]),
    });
    const repaired = await project.ambit("doctor", "--repair");
    expect(repaired.stdout).toContain(from);
    // The events that came after the damaged one are in no backup.
    expect(await project.json("status", "D2")).toMatchObject({ status: "completed" });
    expect(await project.json("status", "D1")).toMatchObject({ status: "completed" });
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
    expect((await project.json("doctor"))["ok"]).toBe(true);
  });

  it("is recognised if it is an older copy, because git knows how many events were written", async () => {
    const older = `${file}.older`;
    copyFileSync(file, older);
    const words = ["run", "Next", "--id", "D2", "--check", "true", "--", "touch", "y"];
    expect((await project.ambit(...words)).status).toBe(0);
    await project.ambit("supervisor", "stop");
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
    expect((await project.json("doctor"))["ok"]).toBe(true);

    const replaceByOlder = (): void => {
      removeLog(file);
      copyFileSync(older, file);
    };
    replaceByOlder();
    const verdict = await project.ambit("audit", "--verify");
    expect([verdict.status, verdict.stdout + verdict.stderr]).toEqual([
      1,
      expect.stringMatching(/CHAIN_BROKEN[^]*git knows that \d+ were written[^]*ambit doctor --repair/),
    ]);
    await project.ambit("doctor", "--repair");
    expect(await project.json("status")).toMatchObject({ story: "D2" });
    expect((await project.ambit("audit", "--verify")).status).toBe(0);

    // Without a backup the repair accepts the events that are left.
    replaceByOlder();
    rmSync(`${file}.backup`);
    await project.ambit("doctor", "--repair");
    expect(await project.json("status")).toMatchObject({ story: "D1" });
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
  });

  it("is not recognised as an older copy without git, because its chain holds (control)", async () => {
    const older = `${file}.older`;
    copyFileSync(file, older);
    expect((await project.ambit("run", "Next", "--id", "D2", "--", "touch", "y")).status).toBe(3);
    await project.ambit("supervisor", "stop");
    removeLog(file);
    copyFileSync(older, file);
    project.git("update-ref", "-d", "refs/ambit/journal/head");
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
  });

  async function expectWhole(): Promise<void> {
    expect(await project.json("status")).toMatchObject({ story: "D1", status: "completed" });
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
    expect((await project.ambit("merge", "D1", "--yes")).status).toBe(0);
    expect(project.git("show", "main:x.txt")).toBe("x\n");
    expect(
      (await project.ambit("run", "Next", "--id", "D2", "--check", "true", "--", "touch", "y")).status,
    ).toBe(0);
  }
});
