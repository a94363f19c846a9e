import type { CommandEntry, CommandGroup } from "./input/command-module.ts";

/** Every command, by group. Only the module of the one that is called is loaded. */
export const commands: readonly CommandEntry[] = [
  ...inGroup("work", [
    {
      name: "run",
      summary: "run an agent on one goal, within limits",
      load: () => import("./commands/run.ts"),
    },
    {
      name: "delegate",
      summary: "for agents: delegate a part of the work",
      load: () => import("./commands/delegate.ts"),
    },
    {
      name: "ask",
      summary: "for agents: ask the manager or the person",
      load: () => import("./commands/ask.ts"),
    },
    {
      name: "message",
      summary: "write to the agents of a story, read their messages",
      load: () => import("./commands/message.ts"),
    },
    {
      name: "mcp",
      summary: "serve delegation tools to an agent's MCP client",
      load: () => import("./commands/mcp.ts"),
    },
    { name: "attach", summary: "watch a running story", load: () => import("./commands/attach.ts") },
    {
      name: "stop",
      summary: "stop a story or one worker; its work is kept",
      load: () => import("./commands/stop.ts"),
    },
    {
      name: "quick",
      summary: "run a story of one line, with few options",
      load: () => import("./commands/quick.ts"),
    },
    {
      name: "inbox",
      summary: "questions that wait for your answer",
      load: () => import("./commands/inbox.ts"),
    },
    {
      name: "approve",
      summary: "approve a pending request",
      load: () => import("./commands/answer.ts"),
    },
    {
      name: "reject",
      summary: "reject a pending request",
      load: () => import("./commands/answer.ts"),
    },
    {
      name: "reply",
      summary: "answer a worker's question in words",
      load: () => import("./commands/answer.ts"),
    },
    {
      name: "resume",
      summary: "continue an interrupted story",
      load: () => import("./commands/follow-up.ts"),
    },
    {
      name: "retry",
      summary: "start over with the same goal and limits",
      load: () => import("./commands/follow-up.ts"),
    },
    {
      name: "template",
      summary: "ways to divide a story: list, add, compare, …",
      load: () => import("./commands/template.ts"),
    },
  ]),
  ...inGroup("see", [
    {
      name: "checklist",
      alias: "todos",
      summary: "the checklists of a story's managers",
      load: () => import("./commands/checklist.ts"),
    },
    {
      name: "list",
      summary: "the stories of this project: open, ended, merged",
      load: () => import("./commands/list.ts"),
    },
    {
      name: "status",
      summary: "overview: needs you, running, queued, done",
      load: () => import("./commands/status.ts"),
    },
    {
      name: "dashboard",
      summary: "watch and steer stories in a browser",
      load: () => import("./commands/dashboard.ts"),
    },
    {
      name: "tree",
      summary: "the tree of delegations, also as a diagram",
      load: () => import("./commands/tree.ts"),
    },
    {
      name: "cost",
      summary: "the cost of a story with all its delegations",
      load: () => import("./commands/cost.ts"),
    },
    {
      name: "stats",
      summary: "counts of delegations: total, depth, open",
      load: () => import("./commands/stats.ts"),
    },
    {
      name: "performance",
      summary: "success rate, durations, averages, overheads",
      load: () => import("./commands/performance.ts"),
    },
    {
      name: "audit",
      summary: "list, verify, rebuild or export the journal",
      load: () => import("./commands/audit.ts"),
    },
    { name: "logs", summary: "the output of agents, live with -f", load: () => import("./commands/logs.ts") },
    {
      name: "explain",
      summary: "why work is in its state; what a code means",
      load: () => import("./commands/explain.ts"),
    },
    {
      name: "report",
      summary: "a story as one HTML file to send around",
      load: () => import("./commands/report.ts"),
    },
  ]),
  ...inGroup("review", [
    {
      name: "diff",
      summary: "the changes of a story or of one worker",
      load: () => import("./commands/diff.ts"),
    },
    {
      name: "verify",
      summary: "criteria, their checks and the results",
      load: () => import("./commands/verify.ts"),
    },
    {
      name: "merge",
      summary: "bring proven work into your branch",
      load: () => import("./commands/merge.ts"),
    },
  ]),
  ...inGroup("tasks", [
    {
      name: "task",
      summary: "the task list: add, list, divide, archive, sync, …",
      load: () => import("./commands/task.ts"),
    },
    {
      name: "research",
      summary: "research a task and write a report",
      load: () => import("./commands/workflow.ts"),
    },
    {
      name: "plan",
      summary: "turn a task into a plan of phases",
      load: () => import("./commands/workflow.ts"),
    },
    {
      name: "implement",
      summary: "implement a task, phase by phase if it has a plan",
      load: () => import("./commands/workflow.ts"),
    },
    {
      name: "revise",
      summary: "write a new version of a task's plan",
      load: () => import("./commands/workflow.ts"),
    },
    {
      name: "review",
      summary: "review a task's work, or anything you name",
      load: () => import("./commands/workflow.ts"),
    },
    {
      name: "todo",
      summary: "archive tasks that are completed or abandoned",
      load: () => import("./commands/todo.ts"),
    },
    {
      name: "errors",
      summary: "recent failures, grouped",
      load: () => import("./commands/errors.ts"),
    },
    {
      name: "meta",
      summary: "generate agents, commands or templates",
      load: () => import("./commands/workflow.ts"),
    },
  ]),
  ...inGroup("checks", [
    {
      name: "check",
      summary: "check one limit, id, range, marker or return",
      load: () => import("./commands/check.ts"),
    },
    {
      name: "directive",
      summary: "find and check [delegate:description:hours] in text",
      load: () => import("./commands/directive.ts"),
    },
  ]),
  ...inGroup("setup", [
    {
      name: "demo",
      summary: "see a whole story, offline, in a temporary project",
      load: () => import("./commands/demo.ts"),
    },
    {
      name: "doctor",
      summary: "check this machine and project, repair with --fix",
      load: () => import("./commands/doctor.ts"),
    },
    {
      name: "clean",
      summary: "remove what finished work left behind",
      load: () => import("./commands/clean.ts"),
    },
    {
      name: "supervisor",
      summary: "status and stop of the supervisor process",
      load: () => import("./commands/supervisor.ts"),
    },
    {
      name: "worker",
      summary: "run attempts of a cluster's project on this machine",
      load: () => import("./commands/worker.ts"),
    },
    {
      name: "cluster",
      summary: "keep the journal in PostgreSQL: init, status, …",
      load: () => import("./commands/cluster.ts"),
    },
    {
      name: "model-server",
      summary: "run a scripted model to test agents offline",
      load: () => import("./commands/model-server.ts"),
    },
    {
      name: "agents",
      summary: "which agents can work here, and what they need",
      load: () => import("./commands/agents.ts"),
    },
    {
      name: "config",
      summary: "show, change or check settings, with their origin",
      load: () => import("./commands/config.ts"),
    },
    {
      name: "trust",
      summary: "allow this project to run what it names",
      load: () => import("./commands/trust.ts"),
    },
    {
      name: "init",
      summary: "detect this project and write ambit.yaml",
      load: () => import("./commands/init.ts"),
    },
    {
      name: "completion",
      summary: "shell completion of commands, options and ids",
      load: () => import("./commands/completion.ts"),
    },
  ]),
  ...inGroup("help", [
    {
      name: "help",
      summary: "explain a command, or a topic such as limits",
      load: () => import("./commands/help.ts"),
    },
    { name: "version", summary: "the version of ambit", load: () => import("./commands/version.ts") },
  ]),
];

function inGroup(
  group: CommandGroup,
  entries: readonly Omit<CommandEntry, "group">[],
): readonly CommandEntry[] {
  return entries.map((entry) => ({ ...entry, group }));
}
