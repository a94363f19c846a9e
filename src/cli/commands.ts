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
    name: "demo",
    summary: "see it work: offline, in a temporary repository",
    group: "setup",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "delegate",
    summary: "for agents: hand a part of the work to another",
    group: "work",
    load: () => import("./commands/delegate.ts"),
  },
  {
    name: "ask",
    summary: "for agents: ask the manager or the person",
    group: "work",
    load: () => import("./commands/ask.ts"),
  },
  {
    name: "mcp",
    summary: "serve delegation tools to an agent's MCP client",
    group: "work",
    load: () => import("./commands/mcp.ts"),
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
    name: "model-server",
    summary: "a scripted model, to test agents offline",
    group: "setup",
    load: () => import("./commands/model-server.ts"),
  },
  {
    name: "agents",
    summary: "who can work here, and what each still needs",
    group: "setup",
    load: () => import("./commands/agents.ts"),
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
  {
    name: "init",
    summary: "look around and write ambit.yaml",
    group: "setup",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "quick",
    summary: "run a one-line task as a story of its own",
    group: "work",
    load: () => import("./commands/quick.ts"),
  },
  {
    name: "inbox",
    summary: "what waits for your answer",
    group: "work",
    load: () => import("./commands/inbox.ts"),
  },
  {
    name: "approve",
    summary: "say yes to a question that waits",
    group: "work",
    load: () => import("./commands/approve.ts"),
  },
  {
    name: "reject",
    summary: "say no to a question that waits",
    group: "work",
    load: () => import("./commands/reject.ts"),
  },
  {
    name: "reply",
    summary: "answer a worker's question in words",
    group: "work",
    load: () => import("./commands/reply.ts"),
  },
  {
    name: "resume",
    summary: "go on with what was interrupted or stopped",
    group: "work",
    load: () => import("./commands/resume.ts"),
  },
  {
    name: "retry",
    summary: "begin anew with the same contract",
    group: "work",
    load: () => import("./commands/retry.ts"),
  },
  {
    name: "logs",
    summary: "what agents wrote, live with -f",
    group: "see",
    load: () => import("./commands/logs.ts"),
  },
  {
    name: "explain",
    summary: "why work is where it is; what a code means",
    group: "see",
    load: () => import("./commands/explain.ts"),
  },
  {
    name: "diff",
    summary: "what the work changed",
    group: "review",
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "verify",
    summary: "criteria, checks and what was found",
    group: "review",
    load: () => import("./commands/verify.ts"),
  },
  {
    name: "merge",
    summary: "bring proven work into your branch",
    group: "review",
    load: () => import("./commands/merge.ts"),
  },
];
