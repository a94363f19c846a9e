import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  addGlobalOptions,
  peekOutputFlags,
  readGlobalOptions,
  type GlobalOptions,
} from "../../../src/cli/input/global-options.ts";

describe("the flags of every command", () => {
  it("allow colours and questions by default, and switch nothing else on", () => {
    expect(parse([])).toStrictEqual({
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
    });
  });

  const all = [
    "-C",
    "a",
    "--json",
    "--reporter",
    "plain",
    "--no-color",
    "--ascii",
    "-q",
    "-v",
    "--no-input",
    "-y",
  ];
  it.each([
    ["before", [...all, "--config", "f.yaml", "sub", "--own", "1"]],
    ["after", ["sub", "--own", "1", ...all, "--config=f.yaml"]],
    ["around", [...all, "sub", "--config", "f.yaml", "--own", "1"]],
  ])("are accepted %s the command", (_, words) => {
    expect(parse(words)).toStrictEqual({
      directory: "a",
      json: true,
      reporter: "plain",
      color: false,
      ascii: true,
      quiet: true,
      verbose: true,
      input: false,
      yes: true,
      configFile: "f.yaml",
    });
  });

  it("resolve each further -C relative to the one before", () => {
    expect(parse(["-C", "/a", "sub", "-C", "b", "-C", "../c"]).directory).toBe("/a/c");
    expect(parse(["-C", "/a", "-C", "/b", "sub"]).directory).toBe("/b");
  });

  it("count --reporter json as --json", () => {
    expect(parse(["--reporter", "json", "sub"]).json).toBe(true);
  });
});

describe("peekOutputFlags", () => {
  it.each([
    [["--json"], true],
    [["check", "--reporter", "json"], true],
    [["--reporter=json"], true],
    [["check", "session", "json"], false],
    [["check", "description", "--", "--json"], false],
    [[], false],
  ])("finds --json in %j: %s", (words, json) => {
    expect(peekOutputFlags(words).json).toBe(json);
  });

  it("finds the other three flags", () => {
    expect(peekOutputFlags(["--ascii", "-v", "--no-color"])).toMatchObject({
      ascii: true,
      verbose: true,
      color: false,
    });
    expect(peekOutputFlags(["--verbose"])).toMatchObject({ ascii: false, verbose: true, color: true });
  });
});

function parse(words: readonly string[]): GlobalOptions {
  const program = new Command("ambit").exitOverride();
  addGlobalOptions(program);
  program
    .command("sub")
    .option("--own <n>")
    .action(() => undefined);
  program.action(() => undefined);
  program.parse([...words], { from: "user" });
  return readGlobalOptions(program);
}
