import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { DelegationError } from "../../../src/base/delegation-error.ts";
import type { StandardInput } from "../../../src/cli/terminal/terminal.ts";
import { readInput, readInputText } from "../../../src/cli/input/read-input.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("a file", () => {
  it("is read relative to the directory, as UTF-8 without a byte order mark", async () => {
    const directory = temporaryFolder({ "sub/text.md": "\uFEFFnaïve 🙂\n" });
    await expect(readInputText("sub/text.md", contextOf(directory))).resolves.toBe("naïve 🙂\n");
  });

  it("may be empty, and may be exactly as large as the cap", async () => {
    const directory = temporaryFolder({ empty: "", full: "12345" });
    await expect(readInputText("empty", contextOf(directory), 5)).resolves.toBe("");
    await expect(readInputText("full", contextOf(directory), 5)).resolves.toBe("12345");
  });

  it("is refused above the cap, naming the cap", async () => {
    const directory = temporaryFolder({ big: "123456" });
    const error = await errorOf(readInputText("big", contextOf(directory), 5));
    expect(error).toMatchObject({ code: "INPUT_UNREADABLE", message: "big is larger than 5 bytes" });
  });

  it("is never read further than one byte above the cap", async () => {
    const directory = temporaryFolder({ big: "x".repeat(300_000) });
    expect((await readInput("big", contextOf(directory), 70_000)).bytes).toHaveLength(70_001);
    expect((await readInput("/dev/zero", contextOf(directory), 100)).bytes).toHaveLength(101);
  });

  it.each([
    ["nope", "nope does not exist"],
    ["file/nope", "file/nope does not exist"],
    [".", ". is a directory"],
    ["", " is a directory"],
    ["loop", "loop is a loop of links"],
    ["dangling", "dangling does not exist"],
    ["x".repeat(300), "has a name that is too long"],
  ])("named %j is refused: %s", async (name, message) => {
    const directory = temporaryFolder({ file: "" });
    symlinkSync("loop", join(directory, "loop"));
    symlinkSync("nothing", join(directory, "dangling"));
    const error = await errorOf(readInput(name, contextOf(directory), 5));
    expect(error).toMatchObject({ code: "INPUT_UNREADABLE", message: expect.stringContaining(message) });
  });

  it("that is a socket is refused", async () => {
    const directory = temporaryFolder();
    const server = createServer().listen(join(directory, "socket"));
    await once(server, "listening");
    const error = await errorOf(readInput("socket", contextOf(directory), 5));
    server.close();
    expect(error.message).toBe("socket is not something that can be read");
  });

  it("with a hostile name is refused, and the name is shown harmlessly", async () => {
    const error = await errorOf(readInput("\u001B[2J", contextOf(temporaryFolder()), 5));
    expect(error.message).toBe("\\u{1b}[2J does not exist");
  });
});

describe("a named pipe", () => {
  it("without a writer is refused instead of waited for", async () => {
    const directory = folderWithPipe();
    const error = await errorOf(readInput("pipe", contextOf(directory), 5));
    expect(error).toMatchObject({
      code: "INPUT_UNREADABLE",
      message: "pipe is a pipe without a writer",
    });
  });

  it("with a slow writer is read to its end", async () => {
    const directory = folderWithPipe();
    // The shell opens the pipe for reading and writing, so that it has a writer before we read.
    const script = 'exec 3<>pipe; echo open; read go; printf "one " >&3; printf "two" >&3; exec 3>&-';
    const writer = spawn("sh", ["-c", script], { cwd: directory, stdio: ["pipe", "pipe", "inherit"] });
    await once(writer.stdout, "data");
    const reading = readInputText("pipe", contextOf(directory));
    writer.stdin.end("go\n");
    await expect(reading).resolves.toBe("one two");
  });

  it("with an endless writer is read to the cap", async () => {
    const directory = folderWithPipe();
    const writer = spawn("sh", ["-c", "exec 3<>pipe; echo open; yes >&3"], {
      cwd: directory,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(writer.stdout, "data");
    expect((await readInput("pipe", contextOf(directory), 1000)).bytes).toHaveLength(1001);
    writer.kill();
  });
});

describe("standard input", () => {
  it("is read for -", async () => {
    const context = contextOf("/", Readable.from([Buffer.from("one "), Buffer.from("two")]));
    await expect(readInputText("-", context)).resolves.toBe("one two");
  });

  it("keeps characters that arrive in two pieces", async () => {
    const [first, second] = [Buffer.from("🙂").subarray(0, 2), Buffer.from("🙂").subarray(2)];
    await expect(readInputText("-", contextOf("/", Readable.from([first, second])))).resolves.toBe("🙂");
  });

  it("that never ends is read to the cap and then closed", async () => {
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(1000, "x"));
      },
    });
    expect((await readInput("-", contextOf("/", endless), 2500)).bytes).toHaveLength(2501);
    expect(endless.destroyed).toBe(true);
  });

  it("that is a terminal is not waited for", async () => {
    const context = contextOf("/", Object.assign(Readable.from([]), { isTTY: true }));
    const error = await errorOf(readInput("-", context, 5));
    expect(error).toMatchObject({
      code: "USAGE",
      recommendation: expect.stringContaining("Pipe the text in"),
    });
  });

  it("that fails is named in the error", async () => {
    const broken = new Readable({
      read() {
        this.destroy(Object.assign(new Error("EISDIR: illegal operation"), { code: "EISDIR" }));
      },
    });
    const error = await errorOf(readInput("-", contextOf("/", broken), 5));
    expect(error).toMatchObject({ code: "INPUT_UNREADABLE", message: "standard input is a directory" });
  });
});

function contextOf(directory: string, stdin: StandardInput = Readable.from([])) {
  return { directory, stdin: () => stdin };
}

function folderWithPipe(): string {
  const directory = temporaryFolder();
  execFileSync("mkfifo", [join(directory, "pipe")]);
  return directory;
}

async function errorOf(attempt: Promise<unknown>): Promise<DelegationError> {
  const outcome: unknown = await attempt.catch((error: unknown) => error);
  if (outcome instanceof DelegationError) return outcome;
  throw new Error(`expected a DelegationError, got ${String(outcome)}`);
}
