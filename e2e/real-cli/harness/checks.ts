import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Document, Machine } from "./machine.ts";
import { unansweredCalls } from "./conversation.ts";
import { patience } from "./patience.ts";
import { processesMentioning, type Process } from "./processes.ts";

/** A promise that was not kept, in words for the report. */
export function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(is === should, `${what}: ${is} instead of ${should}`);
}

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = patience(60) * 1000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${limitMs / 1000} s for ${what}`);
    await delay(100);
  }
}

export interface Event {
  readonly type: string;
  readonly delegation: string | null;
  readonly attempt: number;
  readonly data: Document;
}

/** What the journal says happened to a story, through the command. */
export async function eventsOf(machine: Machine, story: string): Promise<readonly Event[]> {
  const { stdout } = await machine.ambit("logs", story, "--events");
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

/** Ended well, merged, and every file there as it was written. */
export function checkCompleted(
  machine: Machine,
  { status, document }: Awaited<ReturnType<Machine["json"]>>,
  files: Readonly<Record<string, string>>,
): void {
  const { outcome, code, summary, story } = document;
  check(outcome === "completed", `ended ${outcome} (${code}): ${String(summary).slice(0, 300)}`);
  same(status, 0, "exit status");
  same(document["merged"], true, "merged");
  for (const [path, content] of Object.entries(files))
    same(fileOn(machine, `ambit/${story}`, path), content, `${path} on ambit/${story}`);
  same(machine.git("status", "--porcelain"), "", "changes in the person's own checkout");
  const homes = join(machine.folder, "home/.local/state/ambit/agents");
  same(existsSync(homes) ? readdirSync(homes) : [], [], "homes of agents that have ended, with their logins");
}

export function fileOn(machine: Machine, branch: string, path: string): string | null {
  try {
    return machine.git("show", `${branch}:${path}`);
  } catch {
    return null;
  }
}

interface TreeNode {
  readonly agent: string;
  readonly status: string;
  readonly children: readonly TreeNode[];
}

/** Who worked and how it ended, each manager before its workers. */
export async function agentsOf(machine: Machine, story: string): Promise<readonly string[]> {
  const { document } = await machine.json("tree", story);
  const flatten = ({ agent, status, children }: TreeNode): string[] => [
    `${agent} ${status}`,
    ...children.flatMap(flatten),
  ];
  return flatten(document["tree"]);
}

/** Both turns in one session of the agent itself, and the model was shown what was said before. */
export async function checkSameSession(machine: Machine, story: string, said: string): Promise<void> {
  const events = await eventsOf(machine, story);
  const sessions = events.filter(({ type, delegation }) => type === "session-known" && delegation === story);
  const attempts = new Set(sessions.map(({ attempt }) => attempt));
  check(attempts.size >= 2, `a session was known in ${attempts.size} attempts, not in both`);
  const ids = new Set(sessions.map(({ data }) => String(data["sessionId"])));
  check(ids.size === 1, `the session changed: ${[...ids].join(", ")}`);
  const last = machine.requests().findLast(({ kind, script }) => kind === "scripted" && script === "manager");
  check(JSON.stringify(last?.body).includes(said), `the resumed session does not hold "${said}"`);
  const open = last === undefined ? [] : unansweredCalls(last);
  same(open, [], "tool calls in the resumed session that a provider would miss an answer to");
}

/** Nothing of the story runs any more; the supervisor itself may. */
export async function checkNothingRuns(machine: Machine): Promise<void> {
  const left = (): readonly Process[] =>
    processesMentioning(`${machine.folder}/`).filter(({ command }) => !command.includes("__supervisor"));
  await until("all processes of the story to end", () => left().length === 0, 10_000).catch(() => {
    const names = left().map(({ pid, command }) => `${pid} ${command.slice(0, 120)}`);
    throw new Error(`left behind: ${names.join("; ")}`);
  });
}
