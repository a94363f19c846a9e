import { safeText } from "../base/safe-text.ts";
import { listCompletionValues, type Candidate, type CompletionPlace } from "../app/completion-values.ts";
import { commands } from "./commands.ts";
import { topicNames } from "./commands/help.ts";
import { shells } from "./completion/scripts.ts";
import { readLine, type Spot } from "./completion/read-line.ts";
import { kindOfArgument, kindOfOption, type ValueKind } from "./completion/value-kinds.ts";
import type { Environment } from "./terminal/terminal.ts";

export interface LineSoFar {
  /** Every word after `ambit`; the last one is being typed and may be empty. */
  readonly words: readonly string[];
  readonly directory: string;
  readonly environment: Environment;
}

/**
 * The answer to a shell: one word per line with its meaning after a tab, and `:files` or `:folders` where those fit as
 * well. Never fails: a person pressed a key, and no answer is better than an error across the line.
 */
export async function completeWords({ words, directory, environment }: LineSoFar): Promise<string> {
  const joined = joinEquals(words);
  const current = joined.at(-1) ?? "";
  try {
    const line = await readLine({ before: joined.slice(0, -1), current, directory, commands });
    const { before, prefix } = splitValue(line.spot, current);
    const place = { directory: line.directory, environment, prefix };
    const { candidates, fallback } = await completeSpot(line.spot, place);
    const fitting = unique(candidates).filter(({ value }) => value.startsWith(prefix));
    return [
      ...fitting.map(
        ({ value, about }) => `${before}${value}\t${safeText(about).slice(0, MAX_ABOUT_LENGTH)}`,
      ),
      ...(fallback === "none" ? [] : [`:${fallback}`]),
    ].join("\n");
  } catch {
    return "";
  }
}

const MAX_ABOUT_LENGTH = 60;

/** Bash makes three words of `--agent=cl`. */
function joinEquals(words: readonly string[]): readonly string[] {
  const isLoose = words.at(-1) === "=";
  const kept = words.filter((word, index) => word !== "=" || index === 0);
  return isLoose ? [...kept, ""] : kept;
}

/** Shells that keep `--agent=cl` as one word want it back as one. */
function splitValue(spot: Spot, current: string): { readonly before: string; readonly prefix: string } {
  const equals = current.startsWith("--") && spot.kind === "value" ? current.indexOf("=") : -1;
  return { before: current.slice(0, equals + 1), prefix: current.slice(equals + 1) };
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** Names the shell adds by itself. */
  readonly fallback: "files" | "folders" | "none";
}

async function completeSpot(spot: Spot, place: CompletionPlace): Promise<Completion> {
  switch (spot.kind) {
    case "command":
      return only(commandCandidates);
    case "subcommand":
      return only(spot.command.commands.map((one) => ({ value: one.name(), about: one.description() })));
    case "option":
      return only(
        spot.options.map(({ long, short, description }) => ({
          value: long ?? short ?? "",
          about: description,
        })),
      );
    case "value":
      return spot.option.argChoices === undefined
        ? completeKind(kindOfOption(spot.option.long ?? spot.option.short ?? ""), place)
        : only(spot.option.argChoices.map(withoutAbout));
    case "argument":
      return completeKind(kindOfArgument(spot.path, spot.name), place);
    case "other":
      return { candidates: [], fallback: "files" };
  }
}

async function completeKind(kind: ValueKind, place: CompletionPlace): Promise<Completion> {
  switch (kind) {
    case "files":
    case "folders":
      return { candidates: [], fallback: kind };
    case "free":
      return only([]);
    case "shells":
      return only(shells.map(withoutAbout));
    case "isolations":
      return only(["worktree", "sandbox"].map(withoutAbout));
    case "help topics":
      return only([...topicNames.map(withoutAbout), ...commandCandidates]);
    default:
      return only(await listCompletionValues(kind, place));
  }
}

const commandCandidates: readonly Candidate[] = commands.map(({ name, summary }) => ({
  value: name,
  about: summary,
}));

function withoutAbout(value: string): Candidate {
  return { value, about: "" };
}

function only(candidates: readonly Candidate[]): Completion {
  return { candidates, fallback: "none" };
}

function unique(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>();
  // A value with a blank or a colon would be split in the wrong place, so it is left out.
  return candidates.filter(({ value }) => {
    const isNew = value !== "" && !seen.has(value) && !/[\s:]/.test(value);
    seen.add(value);
    return isNew;
  });
}
