import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tryExclusiveLock, waitForExclusiveLock } from "../../src/base/exclusive-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ambit-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts another process that takes the same lock, and waits until it has it. */
async function holdElsewhere(file: string) {
  const driver = resolve("node_modules/@photostructure/sqlite/dist/index.cjs");
  const program = `const { DatabaseSync } = require(${JSON.stringify(driver)});
    globalThis.kept = new DatabaseSync(${JSON.stringify(file)}); kept.exec("BEGIN EXCLUSIVE");
    process.stdout.write("held"); setInterval(() => kept.isOpen, 1000);`;
  const holder = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  return holder;
}

it("a lock has one holder at a time, and is free again after release", () => {
  const file = join(folder, "deep", "lock");
  const first = tryExclusiveLock(file);
  expect(first).toBeDefined();
  expect(tryExclusiveLock(file)).toBeUndefined();
  first?.release();
  first?.release();
  const second = tryExclusiveLock(file);
  expect(second).toBeDefined();
  second?.release();
});

it("a lock is refused while another process holds it, even a stopped one, and is free once that process is killed", async () => {
  const file = join(folder, "lock");
  const holder = await holdElsewhere(file);
  expect(tryExclusiveLock(file)).toBeUndefined();
  holder.kill("SIGSTOP");
  expect(tryExclusiveLock(file)).toBeUndefined();
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const ours = tryExclusiveLock(file);
  expect(ours).toBeDefined();
  ours?.release();
});

it("a process that waits for a lock gets it on release, and gives up after its time limit", async () => {
  const file = join(folder, "lock");
  const first = tryExclusiveLock(file);
  expect(await waitForExclusiveLock(file, { maxWaitMs: 20 })).toBeUndefined();
  const waiting = waitForExclusiveLock(file, { maxWaitMs: 10_000 });
  first?.release();
  const second = await waiting;
  expect(second).toBeDefined();
  second?.release();
});

it("a lock writes nothing except its own file, so that a full disk does not refuse it", () => {
  const file = join(folder, "lock");
  const lock = tryExclusiveLock(file);
  expect(readdirSync(folder)).toEqual(["lock"]);
  lock?.release();
});
