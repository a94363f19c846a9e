import { describe, expect, it } from "vitest";
import { commandGroups } from "../../src/cli/command-groups.ts";
import { commands } from "../../src/cli/commands.ts";
import { renderShortHelp, renderTopHelp, type HelpEntry } from "../../src/cli/render/top-help.ts";

describe("renderShortHelp", () => {
  it("says in six lines what it is and names three next commands", () => {
    const lines = renderShortHelp().split("\n");
    expect(lines).toHaveLength(6);
    expect(lines.filter((line) => line.startsWith("  ambit "))).toHaveLength(3);
  });
});

describe("renderTopHelp", () => {
  it("lists every command in its group on one screen", () => {
    const help = renderTopHelp(commands);
    expectOneScreen(help);
    for (const { name, group } of commands) {
      expect(help).toMatch(new RegExp(`\\b${name}\\b`));
      expect(help).toContain(commandGroups[group]);
    }
  });

  it("gives each command a line with its summary while they fit, and leaves empty groups out", () => {
    const help = renderTopHelp([{ name: "tree", summary: "the delegation tree", group: "see" }]);
    expect(help).toContain("See what happens\n  tree         the delegation tree\n");
    expect(help).not.toContain("Set up");
  });

  it("still fits one screen with forty commands, none left out", () => {
    const many = Array.from({ length: 40 }, (_, index): HelpEntry => {
      const group =
        (["work", "see", "review", "tasks", "checks", "setup", "help"] as const)[index % 7] ?? "work";
      return { name: `command${index}`, summary: "does something", group };
    });
    const help = renderTopHelp(many);
    expectOneScreen(help);
    for (const { name } of many) expect(help).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe("the table of commands", () => {
  it("has short summaries and no name twice", () => {
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

function expectOneScreen(help: string): void {
  const lines = help.split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
}
