import type { CommandGroup } from "./command-groups.ts";
import type { CommandModule } from "./command-module.ts";

export interface CommandEntry {
  readonly name: string;
  /** At most 55 characters, so that the list stays on one screen of 80 columns. */
  readonly summary: string;
  readonly group: CommandGroup;
  readonly load: () => Promise<CommandModule>;
}

/** Every command. Only the module of the one that is called is loaded. */
export const commands: readonly CommandEntry[] = [
  {
    name: "run",
    summary: "run a program as one bounded story",
    group: "work",
    load: () => import("./commands/run.ts"),
  },
  {
    name: "attach",
    summary: "watch a running story",
    group: "work",
    load: () => import("./commands/attach.ts"),
  },
  {
    name: "stop",
    summary: "stop a story and keep its work",
    group: "work",
    load: () => import("./commands/stop.ts"),
  },
  {
    name: "doctor",
    summary: "is this machine ready, is anything left behind?",
    group: "setup",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "clean",
    summary: "remove what finished work left behind",
    group: "setup",
    load: () => import("./commands/clean.ts"),
  },
  {
    name: "supervisor",
    summary: "the process that owns running work: status, stop",
    group: "setup",
    load: () => import("./commands/supervisor.ts"),
  },
  {
    name: "status",
    summary: "what needs you, is worked on, waits or is done",
    group: "see",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "tree",
    summary: "who delegated what to whom, also as a diagram",
    group: "see",
    load: () => import("./commands/tree.ts"),
  },
  {
    name: "cost",
    summary: "what a story cost, with all that was delegated",
    group: "see",
    load: () => import("./commands/cost.ts"),
  },
  {
    name: "stats",
    summary: "how many delegations, how deep, how many open",
    group: "see",
    load: () => import("./commands/stats.ts"),
  },
  {
    name: "performance",
    summary: "success rate, durations, averages, overheads",
    group: "see",
    load: () => import("./commands/performance.ts"),
  },
  {
    name: "audit",
    summary: "list, verify, rebuild or export the journal",
    group: "see",
    load: () => import("./commands/audit.ts"),
  },
  {
    name: "check",
    summary: "judge one limit, id, range, marker or return",
    group: "checks",
    load: () => import("./commands/check.ts"),
  },
  {
    name: "directive",
    summary: "find and judge [delegate:description:hours] in text",
    group: "checks",
    load: () => import("./commands/directive.ts"),
  },
  {
    name: "config",
    summary: "show, change or check settings, with their origin",
    group: "setup",
    load: () => import("./commands/config.ts"),
  },
  {
    name: "help",
    summary: "a command, or exit-codes, limits, contract, env",
    group: "help",
    load: () => import("./commands/help.ts"),
  },
  {
    name: "version",
    summary: "the version of ambit",
    group: "help",
    load: () => import("./commands/version.ts"),
  },
];
