import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CommandSpec, runCommand } from "../../src/base/run-command.ts";

const environment = { PATH: "/usr/bin:/bin" };
const run = (argv: readonly string[], more: Partial<CommandSpec> = {}) =>
  runCommand({ argv, cwd: "/", environment, timeoutMs: 30_000, ...more });
const sh = (script: string, more: Partial<CommandSpec> = {}) => run(["/bin/sh", "-c", script], more);

it("captures both streams as bytes and treats a non-zero exit as an outcome, not as an error", async () => {
  const outcome = await sh("printf 'a\\377b'; echo no >&2; exit 3");
  expect(outcome).toStrictEqual({
    exitCode: 3,
    signal: null,
    stalled: false,
    stdout: Buffer.from([0x61, 0xff, 0x62]),
    stderr: Buffer.from("no\n"),
    timedOut: false,
    truncated: false,
  });
});

it("passes arguments without a shell, the whole environment, and stdin as bytes", async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "ambit-run-")));
  const printed = await run(["/usr/bin/printf", "%s|", "$HOME", "a b", "*;`x`"], { cwd: directory });
  expect(printed.stdout.toString()).toBe("$HOME|a b|*;`x`|");
  const variables = await run(["/usr/bin/env"], { environment: { ONLY: "this" } });
  expect(variables.stdout.toString()).toBe("ONLY=this\n");
  const echoed = await run(["/bin/cat"], { stdin: Uint8Array.from([0, 255, 10]) });
  expect([...echoed.stdout]).toStrictEqual([0, 255, 10]);
  expect((await sh("pwd", { cwd: directory })).stdout.toString()).toBe(`${directory}\n`);
  rmSync(directory, { recursive: true });
});

it("writes the output into a file on request", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ambit-run-"));
  const path = join(directory, "output");
  const file = openSync(path, "wx");
  const outcome = await sh("printf out; echo no >&2", { stdoutFile: file });
  closeSync(file);
  expect([outcome.stdout.length, outcome.stderr.toString()]).toStrictEqual([0, "no\n"]);
  expect(readFileSync(path, "utf8")).toBe("out");
  rmSync(directory, { recursive: true });
});

it("kills the whole group at the timeout", async () => {
  const began = performance.now();
  const outcome = await sh("trap '' TERM; sleep 301 & echo $!; wait", { timeoutMs: 150 });
  expect(outcome).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true });
  expect(performance.now() - began).toBeLessThan(10_000);
  const pid = Number(outcome.stdout.toString());
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isThere(pid)).toBe(false);
});

it("kills the group on abort, and does not start if already aborted", async () => {
  const controller = new AbortController();
  const running = sh("echo started; sleep 302", { abort: controller.signal });
  setTimeout(() => controller.abort(), 50);
  expect(await running).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
  expect(await sh("echo never", { abort: controller.signal })).toMatchObject({
    signal: "SIGKILL",
    stdout: Buffer.alloc(0),
  });
});

it("keeps as much output as requested, drains the rest, and reports the loss", async () => {
  const outcome = await sh("head -c 5000000 /dev/zero; echo end >&2", { maxOutputBytes: 1000 });
  expect(outcome).toMatchObject({ exitCode: 0, truncated: true, stderr: Buffer.from("end\n") });
  expect(outcome.stdout).toHaveLength(1000);
});

it("does not wait for a leftover process that holds the pipes open", async () => {
  const began = performance.now();
  const outcome = await sh("setsid sleep 20 & echo done");
  expect(outcome).toMatchObject({ exitCode: 0, stdout: Buffer.from("done\n") });
  expect(performance.now() - began).toBeLessThan(10_000);
});

it("accepts a program that ends without reading its input", async () => {
  expect(await run(["/bin/true"], { stdin: Buffer.alloc(5_000_000) })).toMatchObject({ exitCode: 0 });
});

it("accepts a time limit that is longer than a timer can count", async () => {
  expect(await sh("exit 0", { timeoutMs: 2 ** 40 })).toMatchObject({ exitCode: 0, timedOut: false });
});

it("throws only if nothing was started, and names the program or the folder", async () => {
  await expect(run(["no-such-program-here"])).rejects.toMatchObject({
    code: "TOOL_UNAVAILABLE",
    message: expect.stringContaining("no-such-program-here"),
  });
  await expect(run(["/bin/true"], { cwd: "/nowhere" })).rejects.toMatchObject({
    code: "TOOL_UNAVAILABLE",
    message: expect.stringContaining("/nowhere"),
  });
  await expect(run([])).rejects.toMatchObject({ code: "TOOL_UNAVAILABLE" });
  await expect(run(["/bin/echo", "nul\0byte"])).rejects.toMatchObject({ code: "TOOL_UNAVAILABLE" });
});

function isThere(pid: number): boolean {
  try {
    // A zombie has ended. The process that adopted it may reap it later.
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}
