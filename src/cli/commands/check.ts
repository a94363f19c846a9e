import type { Command } from "commander";
import type { Act, Action } from "../command-module.ts";

interface Check {
  readonly name: string;
  readonly description: string;
  readonly argument?: readonly [name: string, meaning: string];
  readonly required?: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
  readonly example: string;
  readonly action: Action;
}

export function register(command: Command, act: Act): void {
  command.description(
    "Judge one thing and change nothing. Exit 0 passes, 5 is over a limit, 1 is malformed.",
  );
  for (const check of checks) registerCheck(command.command(check.name), check, act);
  command.addHelpText("after", "\nExample:\n  ambit check depth --caller 1 --max 2 --json");
}

function registerCheck(command: Command, check: Check, act: Act): void {
  command.description(check.description);
  if (check.argument !== undefined) command.argument(...check.argument);
  const { required = {}, optional = {} } = check;
  for (const [flags, meaning] of Object.entries({ ...required, ...optional })) command.option(flags, meaning);
  const optionalFlags = Object.keys(optional).map((flags) => `[${flags}]`);
  command.usage(
    [...(check.argument?.slice(0, 1) ?? []), ...Object.keys(required), ...optionalFlags].join(" "),
  );
  command.action(act(check.action));
  command.addHelpText("after", `\nExample:\n  ${check.example}`);
}

const TEXT = ["<text>", "put -- before text that starts with -"] as const;
const FILE = ["<file>", "JSON, or - for standard input"] as const;

const checks: readonly Check[] = [
  {
    name: "depth",
    description: "May a caller at this depth delegate?",
    required: { "--caller <n>": "depth of the caller", "--max <n>": "depth limit, at most 3" },
    example: "ambit check depth --caller 1 --max 2",
    action: async (...call) => (await import("./check/limits.ts")).checkDepth(...call),
  },
  {
    name: "path",
    description: "May the last agent of a path delegate to another?",
    required: {
      "--path <names>": "agents from the root to the caller, comma-separated",
      "--target <name>": "the agent asked for",
      "--max <n>": "depth limit, at most 3",
    },
    example: "ambit check path --path orchestrator,implement,planner --target researcher --max 3",
    action: async (...call) => (await import("./check/paths.ts")).checkPath(...call),
  },
  {
    name: "cycle",
    description: "Would one more edge close a cycle?",
    required: { "--edges <json>": "list of [from, to] pairs", "--add <from,to>": "the edge asked for" },
    example: `ambit check cycle --edges '[["A","B"],["B","C"]]' --add C,A`,
    action: async (...call) => (await import("./check/paths.ts")).checkCycle(...call),
  },
  {
    name: "budget",
    description: "Do the tokens of parent and child fit into the limit?",
    required: {
      "--parent <n>": "tokens the parent holds",
      "--child <n>": "tokens the child is expected to need",
      "--max <n>": "token limit per agent",
    },
    example: "ambit check budget --parent 60000 --child 40000 --max 100000",
    action: async (...call) => (await import("./check/limits.ts")).checkBudget(...call),
  },
  {
    name: "count",
    description: "Do more delegations fit into the story?",
    required: {
      "--existing <n>": "delegations the story has",
      "--requested <n>": "delegations asked for",
      "--max <n>": "limit per story, at most 100",
    },
    example: "ambit check count --existing 8 --requested 3 --max 10",
    action: async (...call) => (await import("./check/limits.ts")).checkCount(...call),
  },
  {
    name: "description",
    description: "Is a description short, without shell characters?",
    argument: TEXT,
    example: 'ambit check description "Write the login form"',
    action: async (...call) => (await import("./check/limits.ts")).checkDescription(...call),
  },
  {
    name: "session",
    description: "Is a session id well-formed?",
    argument: ["<id>", "such as sess_1766779200_a1b2c3"],
    example: "ambit check session sess_1766779200_a1b2c3",
    action: async (...call) => (await import("./check/texts.ts")).checkSession(...call),
  },
  {
    name: "range",
    description: "Which task numbers does a text name?",
    argument: ["<text>", "numbers, ranges, or all; text after them is kept as the rest"],
    example: 'ambit check range "343-345, 337 then tidy up"',
    action: async (...call) => (await import("./check/texts.ts")).checkRange(...call),
  },
  {
    name: "marker",
    description: "Which task status does a marker stand for?",
    argument: TEXT,
    example: 'ambit check marker "[IN PROGRESS]"',
    action: async (...call) => (await import("./check/texts.ts")).checkMarker(...call),
  },
  {
    name: "return",
    description: "Does a worker's return keep the contract?",
    argument: FILE,
    optional: {
      "--session <id>": "the session id it must carry",
      "--root <dir>": "project in which its artifacts must exist",
    },
    example: "ambit check return return.json --session sess_1766779200_a1b2c3",
    action: async (...call) => (await import("./check/files.ts")).checkReturn(...call),
  },
  {
    name: "todos",
    description: "Is a list of tasks well-formed?",
    argument: FILE,
    example: "ambit check todos todos.json --json",
    action: async (...call) => (await import("./check/files.ts")).checkTodoList(...call),
  },
];
