import type { Command } from "commander";
import { parseJson } from "../../base/json.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";
import type { Judgement } from "../../app/check-limits.ts";
import { usageError } from "../../errors/usage.ts";
import type { Act, CommandContext, Invocation } from "../input/command-module.ts";
import { requiredOption, wholeNumber } from "../input/option-values.ts";
import { readInput, readInputText } from "../input/read-input.ts";
import { verdictOutcome } from "../outcome/verdict-outcome.ts";

interface Check {
  readonly name: string;
  readonly description: string;
  readonly argument?: readonly [name: string, meaning: string];
  readonly required?: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
  readonly example: string;
  readonly judge: (
    context: CommandContext,
    invocation: Invocation,
  ) => Promise<Judgement & Readonly<Record<string, unknown>>>;
}

export function register(command: Command, act: Act): void {
  command.description("Check one thing and change nothing. Exit 0: passed; 1: malformed; 5: over a limit.");
  for (const check of checks) registerCheck(command.command(check.name), check, act);
  command.addHelpText("after", "\nExample:\n  ambit check depth --caller 1 --max 2 --json");
}

function registerCheck(command: Command, check: Check, act: Act): void {
  command.description(check.description);
  if (check.argument !== undefined) command.argument(...check.argument);
  const { required = {}, optional = {} } = check;
  for (const [flags, meaning] of Object.entries({ ...required, ...optional })) command.option(flags, meaning);
  command.usage([...(check.argument?.slice(0, 1) ?? []), ...Object.keys(required)].join(" "));
  command.action(
    act(async (context, invocation) => verdictOutcome(await check.judge(context, invocation), context)),
  );
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
    judge: async (context, invocation) =>
      (await loadLimits()).checkDepthUseCase.run(context, {
        caller: wholeNumber(invocation, "caller"),
        max: wholeNumber(invocation, "max"),
      }),
  },
  {
    name: "path",
    description: "May the last agent of a path delegate to another agent?",
    required: {
      "--path <names>": "agents from the root to the caller, comma-separated",
      "--target <name>": "the agent asked for",
      "--max <n>": "depth limit, at most 3",
    },
    example: "ambit check path --path lead,planner --target tester --max 3",
    judge: async (context, invocation) => {
      const path = readNames(invocation, "path");
      const [target, ...others] = readNames(invocation, "target");
      if (target === undefined || others.length > 0)
        throw usageError("--target must be one agent name", "Give --target a name such as researcher.");
      const max = wholeNumber(invocation, "max");
      return (await loadLimits()).checkPathUseCase.run(context, { path, target, max });
    },
  },
  {
    name: "cycle",
    description: "Would one more delegation close a cycle?",
    required: {
      "--edges <json>": "delegations so far: a list of [from, to] pairs",
      "--add <from,to>": "the delegation asked for",
    },
    example: `ambit check cycle --edges '[["A","B"],["B","C"]]' --add C,A`,
    judge: async (context, invocation) => {
      const edges = readEdges(requiredOption(invocation, "edges"));
      const [from, to, ...others] = readNames(invocation, "add");
      if (from === undefined || to === undefined || others.length > 0)
        throw usageError("--add must be two names", "Give --add as from,to: for example --add C,A.");
      return (await loadLimits()).checkCycleUseCase.run(context, { edges, add: [from, to] });
    },
  },
  {
    name: "budget",
    description: "Do the context tokens of manager and worker together fit into the limit?",
    required: {
      "--parent <n>": "tokens that the manager holds",
      "--child <n>": "tokens that the worker is expected to need",
      "--max <n>": "limit for both together",
    },
    example: "ambit check budget --parent 60000 --child 40000 --max 100000",
    judge: async (context, invocation) =>
      (await loadLimits()).checkBudgetUseCase.run(context, {
        parent: wholeNumber(invocation, "parent"),
        child: wholeNumber(invocation, "child"),
        max: wholeNumber(invocation, "max"),
      }),
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
    judge: async (context, invocation) =>
      (await loadLimits()).checkCountUseCase.run(context, {
        existing: wholeNumber(invocation, "existing"),
        requested: wholeNumber(invocation, "requested"),
        max: wholeNumber(invocation, "max"),
      }),
  },
  {
    name: "description",
    description: "Does a description meet the rules of [delegate:…]: short, no shell characters?",
    argument: TEXT,
    example: 'ambit check description "Write the login form"',
    judge: async (context, invocation) =>
      (await loadLimits()).checkDescriptionUseCase.run(context, { text: invocation.argument("text") }),
  },
  {
    name: "session",
    description: "Is a session id well-formed?",
    argument: ["<id>", "such as sess_1766779200_a1b2c3"],
    example: "ambit check session sess_1766779200_a1b2c3",
    judge: async (context, invocation) =>
      (await loadTexts()).checkSessionUseCase.run(context, { id: invocation.argument("id") }),
  },
  {
    name: "range",
    description: "Which task numbers does a text name?",
    argument: ["<text>", "numbers, ranges or all; text may follow"],
    example: 'ambit check range "343-345, 337 then tidy up"',
    judge: async (context, invocation) =>
      (await loadTexts()).checkRangeUseCase.run(context, { text: invocation.argument("text") }),
  },
  {
    name: "marker",
    description: "Which task status does a marker stand for?",
    argument: TEXT,
    example: 'ambit check marker "[IN PROGRESS]"',
    judge: async (context, invocation) =>
      (await loadTexts()).checkMarkerUseCase.run(context, { text: invocation.argument("text") }),
  },
  {
    name: "return",
    description: "Does a worker's return follow the contract?",
    argument: FILE,
    optional: {
      "--session <id>": "the session id it must carry",
      "--root <dir>": "project in which its artifacts must exist",
    },
    example: "ambit check return return.json --session sess_1766779200_a1b2c3",
    judge: async (context, invocation) => {
      const { checkReturnUseCase, MAX_RETURN_BYTES } = await loadReturns();
      const { bytes } = await readInput(invocation.argument("file"), context, MAX_RETURN_BYTES);
      const [session, root] = [invocation.option("session"), invocation.option("root")];
      return checkReturnUseCase.run(context, { bytes, session, root });
    },
  },
  {
    name: "todos",
    description: "Is a manager's checklist well-formed?",
    argument: FILE,
    example: "ambit check todos todos.json --json",
    judge: async (context, invocation) =>
      (await loadReturns()).checkTodosUseCase.run(context, {
        text: await readInputText(invocation.argument("file"), context),
      }),
  },
];

function loadLimits() {
  return import("../../app/check-limits.ts");
}

function loadTexts() {
  return import("../../app/check-texts.ts");
}

function loadReturns() {
  return import("../../app/check-return.ts");
}

/** Comma-separated and none empty: `a,,b` is more likely a slip than a name. */
function readNames(invocation: Invocation, option: string): string[] {
  const text = requiredOption(invocation, option);
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw usageError(
    `--${option} "${quoteExcerpt(text)}" has an empty name`,
    "Separate names by single commas: a,b,c.",
  );
}

function readEdges(text: string): [string, string][] {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw badEdges(text);
  return value.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw badEdges(text);
    const from: unknown = pair[0];
    const to: unknown = pair[1];
    if (typeof from !== "string" || typeof to !== "string") throw badEdges(text);
    return [from, to];
  });
}

function badEdges(text: string): Error {
  return usageError(
    `--edges must be a JSON list of [from, to] pairs of names; got "${quoteExcerpt(text)}"`,
    `Quote it for the shell: --edges '[["A","B"]]'.`,
  );
}
