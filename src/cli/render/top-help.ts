import { commandGroups } from "../input/command-module.ts";

/** One command in a list of commands. */
export interface HelpEntry {
  readonly name: string;
  readonly summary: string;
  /** A key of `commandGroups`. */
  readonly group: string;
}

export interface FlagEntry {
  readonly flags: string;
  readonly description: string;
}

const usage = "Usage: ambit [flags] <command> [arguments]";
const FLAGS_TITLE = "Flags, before or after the command:";
const shortFlags = [
  FLAGS_TITLE,
  "  -C <dir>  --json  --reporter <auto|tree|plain|agent|github|json>  --no-color",
  "  --ascii  -q, --quiet  -v, --verbose  --no-input  -y, --yes  --config <file>",
  "  -h, --help  -V, --version",
];

/** In the order in which a story needs them. */
const everyday = [
  "init",
  "run",
  "status",
  "inbox",
  "logs",
  "explain",
  "diff",
  "merge",
  "resume",
  "dashboard",
];

/** The commands of every day on one screen. */
export function renderTopHelp(entries: readonly HelpEntry[]): string {
  const shown = everyday.flatMap((name) => entries.filter((entry) => entry.name === name));
  return [
    usage,
    "",
    ...shown.map(renderEntry),
    "",
    "All commands and flags: ambit help --all. One command: ambit <command> --help.",
    "",
    ...shortFlags,
    "",
    "Exit codes: ambit help exit-codes",
  ].join("\n");
}

/** Every command, by group, and what each flag means. */
export function renderAllCommands(entries: readonly HelpEntry[], flags: readonly FlagEntry[]): string {
  const groups = Object.entries(commandGroups).flatMap(([group, title]) => {
    const members = entries.filter((entry) => entry.group === group);
    return members.length === 0 ? [] : ["", title].concat(members.map(renderEntry));
  });
  return [usage, ...groups, "", FLAGS_TITLE, ...[...flags, helpFlag].map(renderFlag)].join("\n");
}

/** Commander adds it by itself. */
const helpFlag: FlagEntry = { flags: "-h, --help", description: "explain ambit or the command" };

function renderFlag({ flags, description }: FlagEntry): string {
  return `  ${flags.padEnd(18)} ${description}`;
}

function renderEntry({ name, summary }: HelpEntry): string {
  return `  ${name.padEnd(12)} ${summary}`;
}
