import { describe, expect, it } from "vitest";
import { commandGroups } from "../../../src/cli/input/command-module.ts";
import { commands } from "../../../src/cli/commands.ts";
import { renderAllCommands, renderTopHelp } from "../../../src/cli/render/top-help.ts";

describe("renderTopHelp", () => {
  it("shows the ten commands of every day, a line each, on one screen", () => {
    const help = renderTopHelp(commands);
    const lines = help.split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const shown = commands.filter(({ name, summary }) => lines.includes(`  ${name.padEnd(12)} ${summary}`));
    expect(shown.map(({ name }) => name)).toHaveLength(10);
    expect(help).toContain("ambit help --all");
  });
});

describe("renderAllCommands", () => {
  it("gives every command a line with its summary, below its group", () => {
    const help = renderAllCommands(commands, [{ flags: "--json", description: "print one JSON document" }]);
    expect(help).toContain("\n  --json             print one JSON document\n  -h, --help ");
    for (const { name, summary, group } of commands) {
      expect(help).toContain(`\n  ${name.padEnd(12)} ${summary}\n`);
      expect(help).toContain(`\n${commandGroups[group]}\n`);
    }
    expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("shows no group without commands", () => {
    const help = renderAllCommands([{ name: "tree", summary: "the delegation tree", group: "see" }], []);
    expect(help).toContain("See what happens\n  tree         the delegation tree\n");
    expect(help).not.toContain("Set up");
  });
});

describe("the table of commands", () => {
  it("has short summaries and unique names", () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(commands.filter(({ summary }) => summary.length > 55 || summary === "")).toStrictEqual([]);
  });

  it.each(commands.map((entry) => [entry.name, entry] as const))(
    "loads a module for %s",
    async (_, entry) => {
      expect((await entry.load()).register).toBeTypeOf("function");
    },
  );
});
