import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { DelegationError } from "../../../src/base/delegation-error.ts";
import { createContext } from "../../../src/cli/input/create-context.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import type { GlobalOptions } from "../../../src/cli/input/global-options.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const options: GlobalOptions = {
  directory: undefined,
  json: false,
  reporter: "auto",
  color: true,
  ascii: false,
  quiet: false,
  verbose: false,
  input: true,
  yes: false,
  configFile: undefined,
};

describe("createContext", () => {
  it("works in the current directory unless -C names another", () => {
    const folder = temporaryFolder({ "sub/file": "" });
    expect(contextOf({}, { currentDirectory: () => folder }).directory).toBe(folder);
    expect(contextOf({ directory: "sub" }, { currentDirectory: () => folder }).directory).toBe(
      join(folder, "sub"),
    );
  });

  it.each(["nowhere", "file"])("refuses -C %s, which is not a directory", (directory) => {
    const folder = temporaryFolder({ file: "" });
    const error = errorOf(() => contextOf({ directory }, { currentDirectory: () => folder }));
    expect(error).toMatchObject({ code: "USAGE", message: expect.stringContaining(join(folder, directory)) });
  });

  it("explains a current directory that is gone", () => {
    const gone = (): string => {
      throw new Error("ENOENT: no such file or directory, uv_cwd");
    };
    expect(errorOf(() => contextOf({}, { currentDirectory: gone }))).toMatchObject({
      code: "INPUT_UNREADABLE",
    });
  });

  it("resolves --config relative to -C", () => {
    const folder = temporaryFolder({ "sub/file": "" });
    const context = contextOf(
      { directory: "sub", configFile: "my.yaml" },
      { currentDirectory: () => folder },
    );
    expect(context.configFile).toBe(join(folder, "sub", "my.yaml"));
  });

  it.each([
    ["/home/me", "/home/me"],
    ["", undefined],
    ["relative", undefined],
    [undefined, undefined],
  ])("takes the home directory from HOME=%j: %j", (home, expected) => {
    expect(contextOf({}, { environment: { HOME: home } }).homeDirectory).toBe(expected);
  });

  it("judges colours for stdout and stderr separately", () => {
    const context = contextOf({}, { isTty: (stream) => stream === "stderr" });
    expect([context.color("stdout"), context.color("stderr")]).toStrictEqual([false, true]);
  });

  it("never asks without a terminal or with --no-input", () => {
    expect(contextOf({}, { isTty: () => true }).input()).toBe(true);
    expect(contextOf({ input: false }, { isTty: () => true }).input()).toBe(false);
    expect(contextOf({}, { isTty: (stream) => stream !== "stdin" }).input()).toBe(false);
  });

  it("warns on stderr with harmless characters, and not at all with --quiet", () => {
    expect(warningsOf({})).toBe("⚠ careful \\u{1b}\n");
    expect(warningsOf({ ascii: true })).toBe("! careful \\u{1b}\n");
    expect(warningsOf({ quiet: true })).toBe("");
  });

  it("chooses the reporter once, however often it is asked for", async () => {
    const context = contextOf({ reporter: "plain" });
    expect(context.reporter()).toBe(context.reporter());
    await expect(context.reporter()).resolves.toBe("plain");
  });
});

function contextOf(changed: Partial<GlobalOptions>, terminal: Partial<Terminal> = {}) {
  return createContext({
    version: "1.2.3",
    options: { ...options, ...changed },
    terminal: {
      environment: {},
      currentDirectory: () => process.cwd(),
      isTty: () => false,
      stdin: () => Readable.from([]),
      writeError: () => undefined,
      ...terminal,
    },
  });
}

function warningsOf(changed: Partial<GlobalOptions>): string {
  let written = "";
  const writeError = (text: string): void => {
    written += text;
  };
  contextOf(changed, { writeError }).warn("careful \u001B");
  return written;
}

function errorOf(attempt: () => unknown): DelegationError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof DelegationError) return error;
    throw error;
  }
  throw new Error("expected a DelegationError");
}
