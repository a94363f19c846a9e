import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseCommandTimeout } from "../../src/routing/command-timeouts.ts";
import {
  routeCommand,
  formatRouteLine,
  formatStageLine,
  type CommandRouting,
} from "../../src/routing/route-command.ts";
import { chooseTaskLanguage } from "../../src/routing/task-language.ts";

const research: CommandRouting = {
  languageBased: true,
  targetAgent: undefined,
  byLanguage: { lean: "lean-research-agent" },
  default: "researcher",
  withPlan: undefined,
};
const plan: CommandRouting = {
  languageBased: false,
  targetAgent: "planner",
  byLanguage: {},
  default: undefined,
  withPlan: undefined,
};
const implement: CommandRouting = {
  languageBased: true,
  targetAgent: undefined,
  byLanguage: { lean: "lean-implementation-agent" },
  default: "implementer",
  withPlan: "task-executor",
};

describe("timeouts of commands", () => {
  it.each([
    ["research", 3600, 7200],
    ["plan", 1800, 3600],
    ["implement", 7200, 14_400],
    ["revise", 1800, 3600],
    ["review", 3600, 7200],
    ["meta", 1800, 3600],
    ["todo", 300, 1800],
    ["errors", 300, 1800],
    ["anything", 1800, 14_400],
  ])("gives %s its own default and maximum (R70, R71)", (command, usual, most) => {
    expect(chooseCommandTimeout({ command })).toMatchObject({ seconds: usual, isCut: false });
    expect(chooseCommandTimeout({ command, explicit: most + 1 })).toMatchObject({
      seconds: most,
      isCut: true,
    });
    expect(chooseCommandTimeout({ command, explicit: most })).toMatchObject({ seconds: most, isCut: false });
  });

  it("are 300 s for simple commands and 1800 s for all others by default (R70, R72)", () => {
    expect(chooseCommandTimeout({ command: "todo" }).seconds).toBe(300);
    expect(chooseCommandTimeout({ command: "errors" }).seconds).toBe(300);
    expect(chooseCommandTimeout({ command: "anything" }).seconds).toBe(1800);
  });

  it("come from the request, then from the story, then from the definition (C35, R76)", () => {
    const all = { command: "implement", explicit: 10, story: 20, definition: 30 };
    expect(chooseCommandTimeout(all)).toMatchObject({ seconds: 10, origin: "asked for" });
    expect(chooseCommandTimeout({ ...all, explicit: undefined })).toMatchObject({ seconds: 20 });
    expect(chooseCommandTimeout({ command: "implement", definition: 30 })).toMatchObject({
      seconds: 30,
      origin: "the definition of implement",
    });
  });

  it("are never above the command's maximum, however they are set (C35)", () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (explicit, definition) => {
        expect(chooseCommandTimeout({ command: "plan", explicit, definition }).seconds).toBeLessThanOrEqual(
          3600,
        );
      }),
    );
  });
});

describe("the language of a task", () => {
  it("comes from the flag, then the task, then state.json, then TODO.md, then is general (C23, R150)", () => {
    const all = { flag: "a", project: "b", state: "c", todo: "d" };
    expect(chooseTaskLanguage(all)).toStrictEqual({ language: "a", origin: "from --lang" });
    expect(chooseTaskLanguage({ ...all, flag: undefined })).toMatchObject({ language: "b" });
    expect(chooseTaskLanguage({ state: "c", todo: "d" })).toMatchObject({
      language: "c",
      origin: "from state.json",
    });
    expect(chooseTaskLanguage({ state: " ", todo: "Lean" })).toStrictEqual({
      language: "lean",
      origin: "from TODO.md",
    });
    expect(chooseTaskLanguage({})).toMatchObject({ language: "general" });
  });
});

describe("routing a command", () => {
  const lean = { language: "lean", origin: "from TODO.md" };
  const general = { language: "general", origin: "none was named" };

  it("follows the language if the definition says so, otherwise its default (R148, R149)", () => {
    const route = routeCommand({ command: "research", routing: research, language: lean });
    expect(formatRouteLine(route)).toBe("[3/7] route → lean-research-agent (language lean, from TODO.md)");
    expect(routeCommand({ command: "research", routing: research, language: general }).agent).toBe(
      "researcher",
    );
  });

  it("goes to the one agent of a direct command, whatever the language (R148)", () => {
    expect(routeCommand({ command: "plan", routing: plan, language: lean }).agent).toBe("planner");
  });

  it("goes to the phased executor with a plan, and directly without one (R155)", () => {
    const question = { command: "implement", routing: implement, language: lean };
    expect(routeCommand(question).agent).toBe("lean-implementation-agent");
    expect(routeCommand({ ...question, plan: "specs/1_x/plans/implementation-001.md" })).toMatchObject({
      agent: "task-executor",
      reason: "phase by phase, plan specs/1_x/plans/implementation-001.md",
    });
  });

  it("goes to the agent that the person named, before everything else", () => {
    const question = { command: "implement", routing: implement, language: lean, plan: "p.md", agent: "me" };
    expect(routeCommand(question)).toStrictEqual({ agent: "me", reason: "asked for" });
  });

  it("finds no agent if the definition names none", () => {
    const empty = { ...plan, targetAgent: undefined };
    expect(routeCommand({ command: "plan", routing: empty, language: lean }).agent).toBeUndefined();
  });

  it("names the seven stages in their order (R145, C16)", () => {
    const names = ([1, 2, 3, 4, 5, 6, 7] as const).map(
      (number) => formatStageLine(number, "x").split(" ")[1],
    );
    expect(names).toStrictEqual(["parse", "preflight", "route", "prepare", "invoke", "validate", "settle"]);
  });
});
