import { resolve } from "node:path";
import type { Command, Option } from "commander";
import { usageError } from "../../errors/usage.ts";
import { hardCaps } from "../../contract/limits.ts";
import type { StoryVariables } from "../../contract/environment-variables.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";
import { isRelativeGlob } from "../../contract/relative-glob.ts";
import { isVariablePattern } from "../../contract/variable-names.ts";
import type { CommandContext, Invocation } from "../input/command-module.ts";
import { numberUpTo, optionalWholeNumber } from "../input/option-values.ts";

const isolations = ["worktree", "sandbox"] as const;
export const isolationChoices: readonly string[] = isolations;

/** The options of every story, whether it comes from a line of text, a task or a file. */
export function readStoryOptions(context: CommandContext, invocation: Invocation) {
  const script = invocation.option("script");
  const isolation = invocation.option("isolation");
  return {
    ...readWorker(context, invocation),
    model: invocation.option("model"),
    isolation: isolations.find((kind) => kind === isolation),
    network: invocation.flag("network") ? true : undefined,
    env: readVariables(invocation),
    readable: script === undefined ? undefined : [resolve(context.directory, script)],
    timeoutSeconds: readTimeout(invocation),
    budgetUsd: readBudget(invocation),
    budgetTokens: optionalWholeNumber(invocation, "tokens"),
    allowUnmetered: invocation.flag("allowUnmetered") ? true : undefined,
    flags: readLimitFlags(invocation),
  };
}

/** They are stronger than the environment, so they are not a part of the story's own settings. */
export function readLimitFlags(invocation: Invocation) {
  const flags = {
    enabled: invocation.flag("enableDelegation") ? true : undefined,
    maxDepth: numberUpTo(invocation, "depth", { most: hardCaps.maxDepth }),
    maxDelegations: numberUpTo(invocation, "delegations", { most: hardCaps.maxDelegations }),
    maxConcurrent: numberUpTo(invocation, "parallel", { least: 1, most: hardCaps.maxConcurrent }),
  };
  return Object.values(flags).some((flag) => flag !== undefined) ? flags : undefined;
}

/** The same with what only one story can have. */
export function readOneStory(context: CommandContext, invocation: Invocation) {
  return {
    ...readStoryOptions(context, invocation),
    id: invocation.option("id"),
    context: invocation.option("context"),
    criteria: readFilled(invocation, "accept"),
    checks: readFilled(invocation, "check"),
    allowRedBase: invocation.flag("allowRedBase") ? true : undefined,
    proveRed: invocation.flag("proveRed") ? true : undefined,
    fileScope: readScope(invocation),
  };
}

/** A pattern that leaves the project would match no file, so every change would need approval. */
export function readScope(invocation: Invocation): string[] | undefined {
  const globs = readList(invocation, "scope");
  const outside = globs?.find((glob) => !isRelativeGlob(glob));
  if (outside !== undefined)
    throw usageError(
      `--scope ${outside} is outside the project`,
      "Write it from the top folder of the project, without .., for example --scope 'src/**'.",
    );
  return globs;
}

export function readStart(invocation: Invocation) {
  return {
    template: invocation.option("template"),
    inProcess: invocation.flag("inProcess"),
    detach: invocation.flag("detach"),
  };
}

/** `--env NAME` passes a variable of the shell, `--env NAME=value` sets one; both may be given several times. */
export function readVariables(invocation: Invocation): StoryVariables | undefined {
  const words = invocation.optionList("env");
  if (words.length === 0) return undefined;
  const set = words.filter((word) => word.includes("=")).map(splitAssignment);
  const pass = words.filter((word) => !word.includes("="));
  for (const name of [...pass, ...set.map(([first]) => first)])
    if (!isVariablePattern(name))
      throw usageError(
        `--env ${name} is not a variable's name`,
        "Give NAME, NAME_* or NAME=value; AMBIT_* is Ambit's own.",
      );
  return { pass, set: Object.fromEntries(set) };
}

export function addVariableOption(command: Command): Command {
  return command.option(
    "--env <variable>",
    "pass NAME of your shell, or NAME=value; repeatable",
    collectWords,
  );
}

export function checkOption(command: Command): Option {
  return command
    .createOption("--check <command>", "a command that must pass; may be repeated")
    .argParser(collectWords);
}

function collectWords(word: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), word];
}

function splitAssignment(word: string): readonly [string, string] {
  const at = word.indexOf("=");
  return [word.slice(0, at), word.slice(at + 1)];
}

/** An empty story is nearly always a variable of the shell that is not set. */
export function refuseEmpty(story: string, command: string): void {
  if (story.trim() === "")
    throw usageError(
      "The story is empty",
      `Say what is to be done: ambit ${command} 'Fix the failing test'.`,
    );
}

/** `--budget 2.50` in dollars. */
export function readBudget(invocation: Invocation): number | undefined {
  const text = invocation.option("budget");
  if (text === undefined) return undefined;
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text))
    throw usageError(`--budget is ${text}`, "Give dollars, for example --budget 2.50.");
  return Number(text);
}

/** `--timeout 600` in seconds; people also write 10m. */
export function readTimeout(invocation: Invocation): number | undefined {
  const text = invocation.option("timeout");
  if (text !== undefined && !/^\d{1,16}$/.test(text))
    throw usageError(`--timeout is ${quoteExcerpt(text)}`, "Give seconds, for example --timeout 600.");
  return numberUpTo(invocation, "timeout", { least: 1, most: hardCaps.timeoutSeconds });
}

/** An empty value is nearly always a variable of the shell that is not set. */
export function readFilled(invocation: Invocation, name: "accept" | "check"): string[] | undefined {
  const values = readList(invocation, name);
  if (values?.some((value) => value.trim() === "") === true)
    throw usageError(`--${name} is empty`, `Give it a value, for example ${examples[name]}.`);
  return values;
}

const examples = { accept: "--accept 'all tests pass'", check: "--check 'npm test'" } as const;

function readList(invocation: Invocation, name: string): string[] | undefined {
  const values = invocation.optionList(name);
  return values.length === 0 ? undefined : [...values];
}

function readWorker(context: CommandContext, invocation: Invocation) {
  const agent = invocation.option("agent");
  const script = invocation.option("script");
  const command = readCommand(invocation);
  if ([agent, script, command[0]].filter((one) => one !== undefined).length > 1)
    throw usageError("--agent, --script and a command exclude each other", "Give one of them.");
  if (script !== undefined) return { adapter: "scripted", command: [resolve(context.directory, script)] };
  return command.length > 0 ? { adapter: "command", command: [...command] } : { agent };
}

/** Without `--` they are words of a story without quotes, and must not be run as a program. */
function readCommand(invocation: Invocation): readonly string[] {
  const words = invocation.argumentList("command");
  const loose = words.slice(0, Math.max(0, words.length - invocation.wordsAfterDashes()));
  if (loose.length === 0) return words;
  const story = quoteExcerpt([invocation.argument("story"), ...loose].join(" "));
  throw usageError(
    `The story has more than one word and is not quoted: ${story}`,
    `Put it in quotes: '${story}'. A program that does the work comes after --.`,
  );
}
