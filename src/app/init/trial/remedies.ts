import { basename, extname } from "node:path";
import type { Lacks } from "../../../orchestrator/check-commit.ts";

/** One setting that may give a workspace what it lacks. */
export type Remedy =
  | { readonly kind: "include"; readonly pattern: string; readonly paths: readonly string[] }
  | { readonly kind: "pass"; readonly name: string }
  | { readonly kind: "setup"; readonly command: string };

/** The settings that several remedies make together. */
export interface TrialSettings {
  readonly include: readonly string[];
  readonly setup: string | null;
  readonly pass: readonly string[];
}

/** A project that ignores more kinds of files than these has to name what it needs. */
const MAX_PATTERNS = 30;
const MIN_FOR_ENDING = 6;

/** Everything that the user's checkout and shell have and a workspace lacks, as settings. */
export function listRemedies({ ignored, submodules, filters, variables }: Lacks): readonly Remedy[] {
  return [
    ...(submodules.length === 0 ? [] : [setup("git submodule update --init --recursive --quiet")]),
    ...(filters.includes("lfs") ? [setup("git lfs checkout")] : []),
    ...variables.map((name) => ({ kind: "pass" as const, name })),
    ...groupByPattern(ignored.filter((path) => isPlain(path))),
  ];
}

function setup(command: string): Remedy {
  return { kind: "setup", command };
}

export function combineRemedies(remedies: readonly Remedy[]): TrialSettings {
  const commands = remedies.flatMap((one) => (one.kind === "setup" ? [one.command] : []));
  return {
    include: remedies.flatMap((one) => (one.kind === "include" ? [one.pattern] : [])),
    pass: remedies.flatMap((one) => (one.kind === "pass" ? [one.name] : [])),
    setup: commands.length === 0 ? null : commands.join(" && "),
  };
}

/** A setup that is there already runs first. */
export function joinCommands(present: string | null, more: string | null): string | null {
  const commands = [present, more].filter((command) => command !== null);
  return commands.length === 0 ? null : commands.join(" && ");
}

/** The remedies that the output of the failed run speaks of. */
export function findLikely(remedies: readonly Remedy[], output: string): readonly Remedy[] {
  return remedies.filter((remedy) => {
    if (remedy.kind === "pass") return output.includes(remedy.name);
    if (remedy.kind === "setup") return false;
    return remedy.paths.some((path) => output.includes(basename(path)));
  });
}

/** Files of one name in several folders, or many with one ending, become one pattern. */
function groupByPattern(paths: readonly string[]): readonly Remedy[] {
  const byName = groupBy(paths, nameOf);
  const names = [...byName].map(([name, group]) => {
    const [only = ""] = group;
    return { kind: "include" as const, pattern: group.length === 1 ? only : name, paths: group };
  });
  const byEnding = groupBy(names, ({ pattern }) => extname(pattern));
  const patterns = [...byEnding].flatMap(([ending, group]) => {
    if (ending === "" || group.length < MIN_FOR_ENDING) return group;
    const all = group.flatMap((one) => one.paths);
    return [{ kind: "include" as const, pattern: `*${ending}`, paths: all }];
  });
  return patterns.slice(0, MAX_PATTERNS);
}

function groupBy<Item>(
  items: readonly Item[],
  readKey: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, readonly Item[]>();
  for (const item of items) groups.set(readKey(item), [...(groups.get(readKey(item)) ?? []), item]);
  return groups;
}

/** With its slash, where it is a folder. */
function nameOf(path: string): string {
  return path.endsWith("/") ? `${basename(path)}/` : basename(path);
}

/** Names with characters that mean something in a pattern are left to the person. */
function isPlain(path: string): boolean {
  return /^[\w./@+-]+$/.test(path) && path.length <= 200;
}
