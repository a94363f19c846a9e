import { rmSync } from "node:fs";
import { exitCode } from "../../../contract/exit-code.ts";
import type { JournalEvent } from "../../../contract/journal-event.ts";
import { storeFile } from "../../../journal/store-file.ts";
import { verifyJournal } from "../../../journal/verify-journal.ts";
import type { SupervisorClient } from "../../../supervisor/client.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { attachUseCase } from "../../../app/attach.ts";
import { followInTerminal } from "../../follow/follow-in-terminal.ts";
import { runningSupervisor, startedSupervisor } from "../work/project-supervisor.ts";
import { makeDemoProject } from "./make-project.ts";
import { expectedOutcome, promisesKept } from "./promises.ts";
import { showCommands, testsPass } from "./show-commands.ts";

const STORY = "TILL-1";
const failures = ["budget", "crash", "conflict", "liar"] as const;

export interface DemoOptions {
  readonly fail: string | undefined;
  readonly keep: boolean;
}

/** The same path as any story: supervisor, containment, journal, checks, merge. Only the agents follow scripts. */
export async function runDemo(outer: CommandContext, options: DemoOptions): Promise<CommandOutcome> {
  const { fail, keep } = options;
  if (fail !== undefined && !failures.some((name) => name === fail))
    throw usage(`--fail is ${fail}`, `Give one of ${failures.join(", ")}.`);
  const root = makeDemoProject(fail);
  const context: CommandContext = { ...outer, directory: root };
  try {
    const before = await testsPass(context);
    outer.progress(`A repository with ${before ? "passing" : "failing"} tests: ${root}`);
    const events: JournalEvent[] = [];
    const ending = await play(context, fail, events);
    const shown = await showCommands(context, STORY, ending.json["outcome"] === "completed");
    const after = await testsPass(context);
    const promises = promisesKept(events, verifyJournal(storeFile(root)));
    const ok =
      ending.json["outcome"] === expectedOutcome(fail) && after === (fail === undefined || fail === "crash");
    const tests = `Tests before: ${before ? "pass" : "fail"}. After ambit merge: ${after ? "pass" : "fail"}.`;
    const text = [ending.text, ...shown, "", ...promises.map(renderPromise), "", tests, ...where(root, keep)];
    return {
      exitCode: ok ? exitCode.completed : exitCode.failed,
      json: {
        ok,
        story: STORY,
        outcome: ending.json["outcome"],
        tests: { before, after },
        promises,
        simulated: true,
      },
      text: text.join("\n"),
    };
  } finally {
    await leave(context);
    if (!keep) rmSync(root, { recursive: true, force: true });
  }
}

/** Runs the story and answers, as the person at the keyboard would, the one question it asks. */
async function play(
  context: CommandContext,
  fail: string | undefined,
  events: JournalEvent[],
): Promise<CommandOutcome> {
  const client = await startedSupervisor(context);
  try {
    await client.call("run", {
      id: STORY,
      title: "Write the functions of the till so that all tests pass",
      agent: "manager",
      criteria: ["`npm test` passes"],
      ...(fail === "budget" ? { budgetMicroUsd: 1_000_000 } : {}),
    });
    const onEvent = (event: JournalEvent): void => {
      events.push(event);
      if (isQuestion(event)) void answer(client, event.data.approvalId);
      if (fail === "crash" && event.type === "delegation-merged") process.kill(client.hello.pid, "SIGKILL");
    };
    const ending = await followInTerminal(context, (app) => attachUseCase.run(app, { id: STORY }), {
      onEvent,
    });
    if (ending.json["outcome"] !== null || fail !== "crash") return ending;
  } finally {
    client.close();
  }
  return playOn(context, events);
}

/** The supervisor was killed: the next command starts another, which takes up everything where the journal says. */
async function playOn(context: CommandContext, events: JournalEvent[]): Promise<CommandOutcome> {
  context.progress("The supervisor was killed with SIGKILL. The next command goes on:");
  events.length = 0;
  const client = await startedSupervisor(context);
  try {
    const onEvent = (event: JournalEvent): void => {
      events.push(event);
      if (isQuestion(event)) void answer(client, event.data.approvalId);
    };
    return await followInTerminal(context, (app) => attachUseCase.run(app, { id: STORY }), { onEvent });
  } finally {
    client.close();
  }
}

function isQuestion(event: JournalEvent): event is Extract<JournalEvent, { type: "approval-requested" }> {
  return event.type === "approval-requested" && event.data.kind === "clarification";
}

async function answer(client: SupervisorClient, approval: string): Promise<void> {
  const given = { answer: "replied", reason: "npm, please", by: "you" } as const;
  // Answered before, when past events are told again.
  await client.call("answer", { approval, ...given }).catch(() => undefined);
}

async function leave(context: CommandContext): Promise<void> {
  const client = await runningSupervisor(context);
  if (client === undefined) return;
  await client.call("shutdown", {});
  await client.closed;
}

function renderPromise({ promise, evidence }: { promise: string; evidence: string }): string {
  return `${promise.padEnd(29)} ${evidence}`;
}

function where(root: string, keep: boolean): readonly string[] {
  return keep ? [`Look around: cd ${root}`] : ["Try it on your own repository: ambit init"];
}
