import { commandGroups, type CommandGroup } from "../command-groups.ts";

/** What a list of commands needs to know of one. */
export interface HelpEntry {
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
}

const MAX_LINES = 24;
const MAX_WIDTH = 80;

const usage = "Usage: ambit [flags] <command> [arguments]";
const flags = [
  "Flags, before or after the command:",
  "  -C <dir>  --json  --reporter <auto|tree|plain|agent|github|json>  --no-color",
  "  --ascii  -q, --quiet  -v, --verbose  --no-input  -y, --yes  --config <file>",
  "  -h, --help  -V, --version",
];

/** What a newcomer sees who types only `ambit`. */
export function renderShortHelp(): string {
  return [
    "ambit: bounded delegation for coding agents. Limits that hold, work that is",
    "never lost, merges that are proven.",
    "",
    "  ambit help limits       what a delegation may use, and the hard caps",
    "  ambit check --help      ask any limit before you delegate",
    "  ambit --help            all commands and flags",
  ].join("\n");
}

/** All commands by group on one screen; when there are too many for a line each, their names alone. */
export function renderTopHelp(entries: readonly HelpEntry[]): string {
  const detailed = page(entries, detailedGroup);
  return detailed.length <= MAX_LINES ? detailed.join("\n") : page(entries, namesOnly).join("\n");
}

type RenderGroup = (title: string, members: readonly HelpEntry[]) => readonly string[];

function page(entries: readonly HelpEntry[], renderGroup: RenderGroup): string[] {
  const groups = Object.entries(commandGroups).flatMap(([group, title]) => {
    const members = entries.filter((entry) => entry.group === group);
    return members.length === 0 ? [] : renderGroup(title, members);
  });
  return [usage, "", ...groups, "", ...flags, "", "Exit codes: ambit help exit-codes"];
}

function detailedGroup(title: string, members: readonly HelpEntry[]): string[] {
  return [title, ...members.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`)];
}

const NAMES_INDENT = 28;

function namesOnly(title: string, members: readonly HelpEntry[]): string[] {
  const lines = [title.padEnd(NAMES_INDENT)];
  for (const { name } of members) {
    const current = lines.at(-1) ?? "";
    const fits = current.length + name.length + 1 <= MAX_WIDTH;
    if (fits) lines[lines.length - 1] = `${current}${name} `;
    else lines.push(`${" ".repeat(NAMES_INDENT)}${name} `);
  }
  return lines.map((line) => line.trimEnd());
}
