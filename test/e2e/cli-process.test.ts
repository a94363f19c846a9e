import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../cli/temporary-folder.ts";
import { cli, runCli, runShell, type CliCall } from "./run-cli.ts";

const MANY = 20_000;
/** Some 3 MB of JSON, far more than fits into a pipe. */
const manyDirectives = "[delegate:Write one of very many parsers:4]\n".repeat(MANY);

describe("output", () => {
  it("arrives whole through a pipe whose reader is slow", async () => {
    const call = callWith({ "many.md": manyDirectives });
    const line = "$ambit directive parse many.md --parent US-1 --json | (read -r -n 1 first; cat) | wc -c";
    const direct = await runCli(["directive", "parse", "many.md", "--parent", "US-1", "--json"], call);
    const piped = await runShell(line, call);
    expect(direct.stdout.length).toBeGreaterThan(2_000_000);
    expect(Number(piped.stdout)).toBe(direct.stdout.length - 1);
  });

  it("arrives whole through a pipe that was made non-blocking", async () => {
    const call = callWith({ "many.md": manyDirectives });
    const pipe = join(call.directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const line = `exec ${process.execPath} ${cli} directive parse many.md --parent US-1 --json >&3`;
    const child = spawn("sh", ["-c", line], {
      cwd: call.directory,
      stdio: ["ignore", "inherit", "pipe", descriptor],
    });
    const exited = once(child, "exit");
    const text = await readUntilLineEnd(descriptor);
    closeSync(descriptor);
    await exited;
    expect(child.exitCode).toBe(0);
    expect(JSON.parse(text).delegations).toHaveLength(MANY);
  });

  it("ends quietly when its reader has gone", async () => {
    const call = callWith({ "many.md": manyDirectives });
    const line = "$ambit directive parse many.md --parent US-1 | head -n 1; echo ${PIPESTATUS[0]} >&2";
    const { stdout, stderr } = await runShell(line, call);
    expect(stdout).toMatch(/^✔ US-1-DEL-001 .*\n$/);
    expect(stderr).toBe("0\n");
  });

  it("may go unread without changing the exit status", async () => {
    const line = "$ambit check depth --caller 2 --max 2";
    const gone = await runShell(`${line} | true; echo \${PIPESTATUS[0]}`, callWith());
    const closed = await runShell(`${line} >&-; echo $?`, callWith());
    expect([gone, closed]).toStrictEqual([gone, gone].map(() => ({ status: 0, stdout: "5\n", stderr: "" })));
  });

  it.each(["--version", "version --json", "check session x"])(
    "to a full disk fails loudly: %s",
    async (words) => {
      const { stderr, stdout } = await runShell(`$ambit ${words} > /dev/full; echo $?`, callWith());
      expect(stdout).toBe("6\n");
      expect(stderr).toMatch(/^✖ DISK_FULL {2}A disk is full: ENOSPC/);
    },
  );

  it("survives a closed stderr", async () => {
    const { stdout } = await runShell("$ambit chek 2>&-; echo $?", callWith());
    expect(stdout).toBe("2\n");
  });
});

describe("input", () => {
  it("that never ends does not keep the command from ending", async () => {
    const { stderr } = await runShell("yes | $ambit directive count -", callWith());
    expect(stderr).toContain("✖ INPUT_UNREADABLE  standard input is larger than 16777216 bytes");
  });

  it("may come from a process substitution", async () => {
    const { stdout } = await runShell('$ambit directive count <(echo "[delegate:x:3]") --json', callWith());
    expect(JSON.parse(stdout)).toMatchObject({ count: 1, invalid: 0 });
  });

  it("may be closed", async () => {
    const { stdout } = await runShell("$ambit directive count - --json <&-", callWith());
    expect(JSON.parse(stdout)).toMatchObject({ count: 0 });
  });

  it("that is a directory is refused", async () => {
    const { stderr } = await runShell("$ambit directive count - < .; echo $? >&2", callWith());
    expect(stderr).toMatch(/✖ INPUT_UNREADABLE {2}standard input is a directory\n.*\n2\n$/);
  });

  it("from a pipe without a writer is refused", async () => {
    const { stderr } = await runShell("mkfifo pipe; $ambit directive count pipe; echo $? >&2", callWith());
    expect(stderr).toMatch(/✖ INPUT_UNREADABLE {2}pipe is a pipe without a writer\n.*\n2\n$/);
  });

  it("typed on a terminal is not waited for", async () => {
    const { stdout } = await onTerminal("$ambit directive count -");
    expect(stdout).toContain("✖ USAGE");
    expect(stdout).toContain("Pipe the text in");
  });
});

describe("the terminal", () => {
  it("gets colours and a pipe does not; --no-color, NO_COLOR and --ascii are obeyed", async () => {
    const words = "$ambit check session x";
    expect((await onTerminal(words)).stdout).toContain("\u001B[31m✖ INVALID_SESSION_ID");
    expect((await onTerminal(`${words} --no-color`)).stdout).not.toContain("\u001B");
    expect((await onTerminal(`NO_COLOR=1 ${words}`)).stdout).not.toContain("\u001B");
    expect((await onTerminal(`${words} --ascii --no-color`)).stdout).toContain("x INVALID_SESSION_ID");
    expect((await runShell(words, callWith())).stdout).not.toContain("\u001B");
    expect((await runShell(`FORCE_COLOR=1 ${words}`, callWith())).stdout).toContain("\u001B[31m");
  });

  it("gets ASCII where its locale has nothing else; --json does not", async () => {
    const glyph = /\P{ASCII}/u;
    for (const line of ["$ambit chek", "$ambit run --help", "$ambit doctor", "$ambit check session x"]) {
      expect((await onTerminal(`LC_ALL=C ${line}`)).stdout, line).not.toMatch(glyph);
      expect((await onTerminal(`LANG=de_DE.ISO-8859-1 ${line}`)).stdout, line).not.toMatch(glyph);
    }
    expect((await onTerminal("LC_ALL=C.UTF-8 $ambit check session x")).stdout).toContain(
      "✖ INVALID_SESSION_ID",
    );
    expect((await runShell("LC_ALL=C $ambit check session '…' --json", callWith())).stdout).toContain("…");
    expect((await onTerminal("LC_ALL=C $ambit check session '…' --json")).stdout).toContain("…");
  });

  it("that does not know its size gets whole lines", async () => {
    const { stdout } = await onTerminal("git init -q .; stty cols 0 rows 0; $ambit template list");
    expect(stdout).toMatch(/^split .{20}/m);
  });

  it("is judged separately for stdout and stderr", async () => {
    expect((await onTerminal("$ambit chek")).stdout).toContain("\u001B[31m✖ USAGE");
    expect((await onTerminal("$ambit chek 2>err; cat err")).stdout).toContain("✖ USAGE");
    expect((await onTerminal("$ambit chek 2>err; cat err")).stdout).not.toContain("\u001B");
  });
});

describe("a command", () => {
  it("changes its directory with -C, before or after its name, each relative to the one before", async () => {
    const call = callWith({ "a/b/one.md": "[delegate:x:3]" });
    for (const words of [
      ["-C", "a", "-C", "b", "directive", "count", "one.md"],
      ["directive", "count", "one.md", "-C", "a/b"],
    ]) {
      expect((await runCli([...words, "--json"], call)).stdout).toContain('"count":1');
    }
  });

  it("explains a removed current directory", async () => {
    const call = callWith();
    mkdirSync(join(call.directory, "gone"));
    const { stderr } = await runShell("cd gone; rmdir ../gone; $ambit check session x", call);
    expect(stderr).toMatch(/^✖ INPUT_UNREADABLE {2}The current directory cannot be used/);
  });

  it.each([
    ["-v", {}],
    ["--verbose", {}],
    ["", { DEBUG_DELEGATION: "1" }],
  ])("shows the stack of an error with %j %j (R115)", async (flag, environment) => {
    const { stderr } = await runShell(`$ambit chek ${flag}`, { ...callWith(), environment });
    expect(stderr).toMatch(/\n\s+at .*\n/);
  });

  it("writes warnings to stderr, and --quiet silences them, not the answer", async () => {
    const call = { ...callWith(), input: "[delegate:tiny:0.1]" };
    const words = ["directive", "parse", "-", "--parent", "US-1", "--json"];
    const loud = await runCli(words, call);
    const quiet = await runCli([...words, "-q"], call);
    expect(loud.stderr).toMatch(/^⚠ US-1-DEL-001 is estimated at 0.1 h/);
    expect(quiet.stderr).toBe("");
    expect(quiet.stdout).toBe(loud.stdout);
  });
});

describe("the loaded code", () => {
  it.each(["--version", "-V", "version"])("is one file for %s", async (word) => {
    expect((await loadedFiles([word])).map(({ name }) => name)).toStrictEqual(["main.cjs"]);
  });

  it("includes the schema, YAML, environment and database libraries only if needed", async () => {
    const call = callWith();
    const answer = join(call.home, "loaded.json");
    const preload = resolve("test/e2e/loaded-modules.cjs");
    await runCli(["directive", "--help"], {
      ...call,
      environment: { NODE_OPTIONS: `--require ${preload}`, LOADED_MODULES: answer },
    });
    const loaded: { requests: string[]; schemas: boolean } = JSON.parse(readFileSync(answer, "utf8"));
    expect(loaded.schemas).toBe(false);
    expect(loaded.requests.filter((request) => request.startsWith("@"))).toStrictEqual([]);
    const ours = loaded.requests.filter((request) => request.startsWith("./"));
    const texts = ours.map((request) => readFileSync(join(cli, "..", request), "utf8")).join("\n");
    expect(texts).toContain("directive");
    for (const sign of ["ZodError", "yaml.org", "CODEX_SANDBOX"]) expect(texts).not.toContain(sign);
  });
});

function callWith(files: Readonly<Record<string, string>> = {}): CliCall {
  return { directory: temporaryFolder(files), home: temporaryFolder() };
}

/** `script` gives the line a terminal of its own; what it shows comes back as stdout. */
function onTerminal(line: string): Promise<{ readonly stdout: string }> {
  const call = callWith();
  return runShell(`script --quiet --return --command 'bash -c "$LINE"' /dev/null`, {
    ...call,
    environment: { LINE: line, TERM: "xterm" },
  });
}

/** Files of our build that one command line brings into the process, as V8 itself reports them. */
async function loadedFiles(
  words: readonly string[],
): Promise<{ readonly name: string; readonly content: string }[]> {
  const call = callWith();
  const reports = temporaryFolder();
  await runCli(words, { ...call, environment: { NODE_V8_COVERAGE: reports } });
  const urls = readdirSync(reports).flatMap((file) => {
    const report: { result: { url: string }[] } = JSON.parse(readFileSync(join(reports, file), "utf8"));
    return report.result.map(({ url }) => url);
  });
  rmSync(reports, { recursive: true });
  return urls
    .filter((url) => url.startsWith("file:"))
    .map((url) => fileURLToPath(url))
    .map((path) => ({ name: path.slice(path.lastIndexOf("/") + 1), content: readFileSync(path, "utf8") }));
}

/** Reads as slowly as the event loop turns. */
async function readUntilLineEnd(descriptor: number): Promise<string> {
  const pieces: Buffer[] = [];
  const deadlineMs = Date.now() + 40_000;
  while (Date.now() < deadlineMs && pieces.at(-1)?.at(-1) !== 10) {
    const piece = Buffer.alloc(8192);
    try {
      pieces.push(piece.subarray(0, readSync(descriptor, piece)));
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "EAGAIN") throw error;
    }
    await nextTurn();
  }
  return Buffer.concat(pieces).toString();
}
