import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { randomBase36 } from "../../src/base/ids.ts";
import { launchForTest, sh, WIDE } from "./launch-for-test.ts";
import { bundleOwner, type Owner, type OwnerRequest, startOwner } from "./start-owner.ts";

const HOUR_MS = 3_600_000;

let bundle: Awaited<ReturnType<typeof bundleOwner>>;
let directory: string;
const owners: Owner[] = [];

beforeAll(async () => {
  bundle = await bundleOwner();
  directory = mkdtempSync(join(tmpdir(), "ambit-faults-"));
});

afterEach(() => {
  for (const owner of owners.splice(0)) owner.child.kill("SIGKILL");
});

afterAll(() => {
  bundle.remove();
  rmSync(directory, { recursive: true, force: true });
});

function start(request: Partial<OwnerRequest>, prefix: readonly string[]): Owner {
  const spec = {
    cwd: "/",
    argv: sh("true"),
    environment: { PATH: "/usr/bin:/bin" },
    logDirectory: join(directory, randomBase36(8)),
    runId: `test-${randomBase36(16)}`,
    limits: WIDE,
    ...request,
  };
  const owner = startOwner(bundle.path, spec, prefix);
  owners.push(owner);
  return owner;
}

describe("a launch on a full disk", () => {
  const onSmallDisk = (path: string): readonly string[] => {
    mkdirSync(path, { recursive: true });
    return ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--size", "131072", "--tmpfs", path, "--"];
  };

  it("lets the agent see the error, reports how it ended, and leaves nothing running", async () => {
    const logDirectory = join(directory, "full");
    const argv = sh("setsid sleep 300 & head -c 1000000 /dev/zero || exit 9");
    const owner = start({ argv, logDirectory, tier: "subreaper" }, onSmallDisk(logDirectory));
    const { facts } = await owner.seen("exited");
    expect(facts).toMatchObject({ code: 9, reason: "exited", survivors: 0 });
    expect(facts.outputBytes).toBeLessThanOrEqual(131_072);
  });

  it("still gives the agent its input, from memory", async () => {
    const logDirectory = join(directory, "small-input");
    const argv = sh('test "$(wc -c)" = 500000');
    const owner = start({ argv, logDirectory, stdin: "x".repeat(500_000) }, onSmallDisk(logDirectory));
    expect((await owner.seen("exited")).facts).toMatchObject({ code: 0, reason: "exited" });
  });

  it("is refused if the input fits neither on disk nor in memory", async () => {
    const logDirectory = join(directory, "full-input");
    const smallMemory = [
      "/usr/bin/bwrap",
      "--dev-bind",
      "/",
      "/",
      "--size",
      "131072",
      "--tmpfs",
      "/dev/shm",
      "--",
    ];
    const prefix = [...smallMemory, ...onSmallDisk(logDirectory)];
    const owner = start({ logDirectory, stdin: "x".repeat(500_000) }, prefix);
    expect(await owner.seen("refused")).toMatchObject({
      code: "STORE_UNUSABLE",
      message: expect.stringContaining(logDirectory),
    });
  });
});

it("a launch on a read-only file system is refused, with the name of the folder", async () => {
  const readOnly = join(directory, "read-only");
  mkdirSync(readOnly);
  const prefix = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", readOnly, readOnly, "--"];
  const owner = start({ logDirectory: join(readOnly, "logs") }, prefix);
  expect(await owner.seen("refused")).toMatchObject({
    code: "STORE_UNUSABLE",
    message: expect.stringMatching(/read-only\/logs.*EROFS/),
  });
});

describe("a run whose clock jumps", () => {
  const library = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;
  const talking = sh("i=0; while :; do i=$((i+1)); echo $i; sleep 0.02; done");
  const limits = { ...WIDE, timeoutMs: 60_000, idleWarnMs: 40_000, idleStopMs: 50_000 };

  it("can be tested here, because libfaketime is installed", () => {
    expect(existsSync(library)).toBe(true);
  });

  it.each(["+2h", "-365d"])("keeps its deadlines if wall time moves by %s", async (jump) => {
    const file = join(directory, randomBase36(8));
    const owner = start({ argv: talking, limits }, fakeTime(file, ["FAKETIME_DONT_FAKE_MONOTONIC=1"]));
    const before = await owner.seen("line-read");
    writeFileSync(file, jump);
    const jumped = (wallMs: number): boolean => Math.abs(wallMs - before.wallMs) > HOUR_MS;
    const first = await owner.seen("line-read", ({ wallMs }) => jumped(wallMs));
    await owner.seen("line-read", ({ text }) => Number(text) > Number(first.text) + 10);
    expect(owner.lines.filter(({ kind }) => kind !== "line-read" && kind !== "launched")).toStrictEqual([]);
  });

  it("is not stopped by a jump of the monotonic clock, which counts as sleep", async () => {
    const file = join(directory, randomBase36(8));
    const owner = start({ argv: talking, limits }, fakeTime(file, []));
    await owner.seen("line-read");
    writeFileSync(file, "+2h");
    const gap = await owner.seen("gap-noticed");
    expect(Math.round(gap.extendedMs / HOUR_MS)).toBe(2);
    const count = owner.lines.length;
    await owner.seen("line-read", (line) => owner.lines.indexOf(line) > count + 10);
    expect(owner.lines.some(({ kind }) => kind === "stop-started" || kind === "kill-started")).toBe(false);
  });

  function fakeTime(file: string, more: readonly string[]): readonly string[] {
    writeFileSync(file, "+0");
    const settings = [`LD_PRELOAD=${library}`, `FAKETIME_TIMESTAMP_FILE=${file}`, "FAKETIME_NO_CACHE=1"];
    return ["/usr/bin/env", ...settings, ...more];
  }
});

it("a run continues when its log folder is deleted by hand", async () => {
  const run = await launchForTest(sh("echo ready; read -r line; echo got $line; exit 5"), {
    keepStdinOpen: true,
  });
  await run.ready();
  rmSync(join(run.directory, "logs"), { recursive: true });
  run.writeInput("on\n");
  expect(await run.exited).toMatchObject({ code: 5, reason: "exited", survivors: 0 });
  expect(run.lines()).toStrictEqual(["ready", "got on"]);
});

it("a launch from a worker thread is refused, because the kernel would tie the tree to that thread", async () => {
  const program = join(directory, "worker.mjs");
  const contents = `
    import { parentPort } from "node:worker_threads";
    import { launchProcess } from "./src/containment/launch.ts";
    const tell = (error) => parentPort.postMessage(error.code + " " + error.message);
    launchProcess({ argv: ["/bin/true"] }).then(() => tell({ code: "launched" }), tell);`;
  const stdin = { contents, resolveDir: process.cwd(), loader: "ts" as const };
  await build({
    stdin,
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const worker = new Worker(program);
  const said = await new Promise((resolve) => worker.once("message", resolve));
  expect(said).toMatch(/^INTERNAL .*main thread/);
  await worker.terminate();
});

it("a command that bubblewrap abandoned before it ran is started again, and runs once", async () => {
  const bin = join(directory, "unlucky");
  mkdirSync(bin);
  copyFileSync("/usr/bin/bwrap", join(bin, "real"));
  // This bubblewrap fails three times, as if a mount disappeared while it works, and then never again.
  const unlucky = [
    "#!/bin/sh",
    `case "$*" in *the-runs*) echo x >> ${bin}/starts;; esac`,
    `[ -e ${bin}/starts ] && [ "$(wc -l < ${bin}/starts)" -lt 4 ] && exit 1`,
    `exec ${bin}/real "$@"`,
  ];
  writeFileSync(join(bin, "bwrap"), `${unlucky.join("\n")}\n`, { mode: 0o755 });
  const prefix = [
    "/usr/bin/bwrap",
    "--dev-bind",
    "/",
    "/",
    "--bind",
    join(bin, "bwrap"),
    "/usr/bin/bwrap",
    "--",
  ];
  const logDirectory = join(directory, "unlucky-logs");
  const argv = sh(`echo ran >> ${bin}/the-runs; cat; exit 7`);
  const owner = start({ argv, logDirectory, stdin: "input", tier: "pid-namespace" }, prefix);
  expect((await owner.seen("exited")).facts).toMatchObject({ code: 7, reason: "exited", survivors: 0 });
  expect(readFileSync(join(bin, "starts"), "utf8")).toBe("x\nx\nx\nx\n");
  expect(readFileSync(join(bin, "the-runs"), "utf8")).toBe("ran\n");
  expect(readFileSync(join(logDirectory, "stdout"), "utf8")).toBe("input");
});
