import { commandGroups } from "../input/command-module.ts";

/** One command in a list of commands. */
export interface HelpEntry {
  readonly name: string;
  readonly summary: string;
  /** A key of `commandGroups`. */
  readonly group: string;
}

const usage = "Usage: ambit [flags] <command> [arguments]";
const flags = [
  "Flags, before or after the command:",
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
    "All commands: ambit help --all. One command: ambit <command> --help.",
    "",
    ...flags,
    "",
    "Exit codes: ambit help exit-codes",
  ].join("\n");
}

/** Every command, by group. */
export function renderAllCommands(entries: readonly HelpEntry[]): string {
  const groups = Object.entries(commandGroups).flatMap(([group, title]) => {
    const members = entries.filter((entry) => entry.group === group);
    return members.length === 0 ? [] : ["", title].concat(members.map(renderEntry));
  });
  return [usage, ...groups, "", ...flags].join("\n");
}

function renderEntry({ name, summary }: HelpEntry): string {
  return `  ${name.padEnd(12)} ${summary}`;
}
