import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { runCommand } from "../base/run-command.ts";
import type { JournalEvent } from "../contract/journal-event.ts";
import { usageError } from "../errors/usage.ts";
import { storeFile } from "../journal/store-file.ts";
import { verifyJournal } from "../journal/verify-journal.ts";
import type { SupervisorClient } from "../supervisor/client.ts";
import { makeDemoProject } from "./demo/make-project.ts";
import { describeTrial, expectedOutcome, listPromises, type KeptPromise } from "./demo/promises.ts";
import { followStory } from "./follow/follow-story.ts";
import type { FollowedStory } from "./follow/story-ending.ts";
import type { AppContext } from "./project/app-context.ts";
import { findSupervisor, withSupervisor } from "./project/connect-supervisor.ts";

const STORY = "TILL-1";
const failures = ["budget", "crash", "conflict", "liar"] as const;
type Failure = (typeof failures)[number];

/** A real story in a temporary repository. Only the agents are scripted: the rest is what every story goes through. */
export interface Demo {
  readonly root: string;
  readonly story: string;
  /** Whether the tests of the repository pass now. */
  testsPass(): Promise<boolean>;
  /** Runs the story to its end and answers the one question it asks, as a person would. */
  play(context: AppContext): Promise<FollowedStory>;
  /** Whether story and tests ended as they should with this failure. */
  isExpected(ending: FollowedStory, testsPassed: boolean): boolean;
  listPromises(): readonly KeptPromise[];
  /** What was tried with `--fail`, and what stopped it. */
  describeTrial(): string | undefined;
  /** Stops the supervisor and removes the repository unless it is kept. */
  close(keep: boolean): Promise<void>;
}

export interface DemoStart {
  readonly context: AppContext;
  /** The way in which an agent goes wrong. */
  readonly fail: string | undefined;
}

export function openDemo({ context: outer, fail: word }: DemoStart): Demo {
  const fail = failures.find((name) => name === word);
  if (word !== undefined && fail === undefined)
    throw usageError(`--fail is ${word}`, `Give one of ${failures.join(", ")}.`);
  const root = makeDemoProject(fail);
  // Its files were written just now, by this command.
  const context: AppContext = { ...outer, directory: root, isProjectTrusted: true };
  let events: JournalEvent[] = [];
  const listen = (surface: AppContext, onEvent: (event: JournalEvent) => void): Promise<FollowedStory> => {
    events = [];
    const record = (event: JournalEvent): void => {
      events.push(event);
      onEvent(event);
    };
    const inside = { ...surface, directory: root, isProjectTrusted: true };
    return withSupervisor(inside, (client) => followStory(inside, client, { story: STORY, onEvent: record }));
  };
  return {
    root,
    story: STORY,
    testsPass: () => testsPass(context),
    play: (surface) => playStory(surface, { context, fail, listen }),
    isExpected: ({ outcome }, testsPassed) =>
      outcome === expectedOutcome(fail) && testsPassed === (fail === undefined || fail === "crash"),
    describeTrial: () => describeTrial(fail, events),
    listPromises: () => listPromises(events, verifyJournal(storeFile(root))),
    close: async (keep) => {
      await stopSupervisor(context);
      if (!keep) rmSync(dirname(root), { recursive: true, force: true });
    },
  };
}

interface Stage {
  readonly context: AppContext;
  readonly fail: Failure | undefined;
  readonly listen: (surface: AppContext, onEvent: (event: JournalEvent) => void) => Promise<FollowedStory>;
}

async function playStory(surface: AppContext, { context, fail, listen }: Stage): Promise<FollowedStory> {
  const ending = await withSupervisor(context, async (client) => {
    await client.call("run", {
      id: STORY,
      isProjectTrusted: true,
      title: "Write the functions of the till so that all tests pass",
      agent: "manager",
      criteria: ["`npm test` passes"],
      ...(fail === "budget" ? { budgetMicroUsd: 1_000_000 } : {}),
    });
    return listen(surface, (event) => {
      answerQuestion(client, event);
      if (fail === "crash" && event.type === "delegation-merged") process.kill(client.hello.pid, "SIGKILL");
    });
  });
  if (ending.outcome !== null || fail !== "crash") return ending;
  // The next command starts another supervisor, which continues where the journal ends.
  surface.progress("The supervisor was killed with SIGKILL. The next command continues the story:");
  return withSupervisor(context, (client) => listen(surface, (event) => answerQuestion(client, event)));
}

function answerQuestion(client: SupervisorClient, event: JournalEvent): void {
  if (event.type !== "approval-requested" || event.data.kind !== "clarification") return;
  const given = { answer: "replied", reason: "npm, please", by: "you" } as const;
  // Refused if past events are repeated and the question has its answer already.
  void client.call("answer", { approval: event.data.approvalId, ...given }).catch(() => undefined);
}

async function stopSupervisor(context: AppContext): Promise<void> {
  const client = await findSupervisor(context);
  if (client === undefined) return;
  await client.call("shutdown", {});
  await client.closed;
}

const TEST_TIMEOUT_MS = 60_000;

/** Runs the package's own tests in the person's checkout. */
async function testsPass({ directory, environment }: AppContext): Promise<boolean> {
  const { exitCode } = await runCommand({
    argv: [process.execPath, "test/all.mjs"],
    cwd: directory,
    environment: Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    timeoutMs: TEST_TIMEOUT_MS,
  });
  return exitCode === 0;
}
