import type { Command } from "commander";
import { readErrorMessage, DelegationError, type ErrorFacts } from "../../base/delegation-error.ts";
import { explainUnexpectedFileTrouble } from "../../base/file-trouble.ts";
import { describeSchemaIssues } from "../../base/schema-issues.ts";

/** An error as every interface tells it; these four are the wire fields. */
export type Failure = Required<Omit<ErrorFacts, "cause">>;

/** Where it happened. */
export interface FailurePlace {
  /** The command that was called, as far as the words went. */
  readonly command: Command;
  /** Commander's name for what is wrong with the words, when it was commander that refused them. */
  readonly usageCode: string | undefined;
}

export function describeFailure(thrown: unknown, place: FailurePlace): Failure {
  const error = explainUnexpectedFileTrouble(thrown) ?? thrown;
  if (error instanceof DelegationError) {
    const { code, message, recommendation, recoverable } = error;
    return { code, message, recommendation, recoverable };
  }
  if (place.usageCode !== undefined) return describeUsage(readErrorMessage(error), place);
  if (isSchemaError(error)) return describeSchemaError(error);
  return {
    code: "INTERNAL",
    message: readErrorMessage(error),
    recommendation:
      "This is a defect or a broken environment: run it again with -v and report what it prints.",
    recoverable: false,
  };
}

function describeUsage(text: string, place: FailurePlace): Failure {
  const { command, usageCode } = place;
  const [first = "", ...rest] = text.replace(/^error: /, "").split("\n");
  const isMissingSubcommand = usageCode === "commander.help";
  return {
    code: "USAGE",
    message: isMissingSubcommand ? `${commandPath(command)} needs a subcommand` : first,
    recommendation: [findMeant(first) ?? suggestion(rest.join(" ")), ...advice(place)]
      .filter(Boolean)
      .join(" "),
    recoverable: false,
  };
}

/** Words that people bring from other programs. */
const meant: ReadonlyMap<string, string> = new Map([
  ["ps", "status"],
  ["top", "status --watch"],
  ["ls", "list"],
  ["stories", "list"],
  ["history", "list"],
  ["show", "explain"],
  ["view", "explain"],
  ["why", "explain"],
  ["kill", "stop"],
  ["cancel", "stop"],
  ["abort", "stop"],
  ["continue", "resume"],
  ["start", "run"],
  ["exec", "run"],
  ["log", "logs"],
  ["tail", "logs -f"],
  ["watch", "attach"],
  ["follow", "attach"],
  ["undo", "merge --undo"],
  ["apply", "merge"],
  ["setup", "init"],
  ["rm", "clean"],
  ["open", "dashboard"],
  ["ui", "dashboard"],
  ["web", "dashboard"],
]);

function findMeant(message: string): string | undefined {
  const word = /^unknown command '(.*)'$/.exec(message)?.[1];
  const command = word === undefined ? undefined : meant.get(word);
  return command === undefined ? undefined : `Ambit's word for it: ambit ${command}.`;
}

/** Commander appends `(Did you mean x?)` on a line of its own. */
function suggestion(text: string): string {
  return text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : text;
}

function advice({ command, usageCode }: FailurePlace): string[] {
  const help = `Run ${commandPath(command)} --help.`;
  if (usageCode === "commander.help") {
    return [`Use one of: ${command.commands.map((child) => child.name()).join(", ")}.`, help];
  }
  const takesText = usageCode === "commander.unknownOption" && command.registeredArguments.length > 0;
  if (usageCode === "commander.missingArgument" && takesTarget(command))
    return [`@last means the newest story: ${commandPath(command)} @last.`, help];
  if (usageCode === "commander.missingArgument") return [...findGreedy(command), help];
  return takesText ? ['Put -- before text that starts with "-".', help] : [help];
}

/** `--accept <criterion...>` takes the words after it, and so it may have taken the argument. */
function findGreedy(command: Command): string[] {
  const [first] = command.registeredArguments;
  const greedy = command.options.find(
    (option) => option.variadic && command.getOptionValue(option.attributeName()) !== undefined,
  );
  if (greedy?.long === undefined || greedy.long === null || first === undefined) return [];
  return [`${greedy.long} takes every word after it: put the ${first.name()} before it.`];
}

function takesTarget({ registeredArguments: [first] }: Command): boolean {
  return first !== undefined && /^(?:an id|a question)\b/.test(first.description);
}

/** The whole name, as typed: `ambit check depth`. */
function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}

type SchemaError = Parameters<typeof describeSchemaIssues>[0];

/** Known by its shape, so that commands without a schema need not load the schema library. */
function isSchemaError(error: unknown): error is Error & SchemaError {
  return (
    error instanceof Error && /^\$?Zod/.test(error.name) && "issues" in error && Array.isArray(error.issues)
  );
}

function describeSchemaError(error: SchemaError): Failure {
  return {
    code: "VALIDATION_FAILED",
    message: describeSchemaIssues(error),
    recommendation: "Correct the named fields and try again.",
    recoverable: false,
  };
}
