import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { runCommand } from "../base/run-command.ts";
import type { JournalEvent } from "../contract/journal-event.ts";
import { usageError } from "../errors/usage.ts";
import { isStillRunning } from "../containment/process-identity.ts";
import { storeFile } from "../journal/store-file.ts";
import { verifyJournal } from "../journal/verify-journal.ts";
import { readAttemptProcess } from "../orchestrator/attempt-files.ts";
import { getStateDirectory } from "../project/state-directory.ts";
import type { SupervisorClient } from "../supervisor/client.ts";
import { makeDemoProject } from "./demo/make-project.ts";
import {
  describeTrial,
  expectedOutcome,
  listPromises,
  type KeptPromise,
  type ReadProcess,
  type Recording,
} from "./demo/promises.ts";
import { SteadyFollower } from "./demo/steady-follower.ts";
import { followStory } from "./follow/follow-story.ts";
import type { FollowedStory } from "./follow/story-ending.ts";
import type { AppContext } from "./project/app-context.ts";
import { findSupervisor, withSupervisor } from "./project/connect-supervisor.ts";

export type { KeptPromise };

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
  /** Says what was tried with `--fail`, and what stopped it. */
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
  const recording: Recording = { events: [], kills: [] };
  return {
    root,
    story: STORY,
    testsPass: () => testsPass(context),
    play: (surface) => playStory({ ...surface, directory: root, isProjectTrusted: true }, fail, recording),
    isExpected: ({ outcome }, testsPassed) =>
      outcome === expectedOutcome(fail) && testsPassed === (fail === undefined || fail === "crash"),
    describeTrial: () => describeTrial(fail, recording),
    listPromises: () =>
      listPromises({
        ...recording,
        journal: verifyJournal(storeFile(root)),
        readProcess: readProcessOf(root),
      }),
    close: async (keep) => {
      await stopSupervisor(context);
      if (!keep) rmSync(dirname(root), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** The process of an attempt, and whether it is gone. */
function readProcessOf(root: string): ReadProcess {
  return (id, attempt) => {
    const record = readAttemptProcess(getStateDirectory(root), { id, attempt });
    return record === undefined
      ? undefined
      : { pid: record.identity.pid, isGone: !isStillRunning(record.identity) };
  };
}

const kills: Readonly<Record<string, number>> = { none: 1, crash: 2 };

/** Plays the story. The supervisor is killed when work has just been merged, and the next one continues from the journal. */
async function playStory(
  surface: AppContext,
  fail: Failure | undefined,
  recording: Recording,
): Promise<FollowedStory> {
  const follower = new SteadyFollower();
  const followed = follower.wrap(surface);
  try {
    for (let left = kills[fail ?? "none"] ?? 0; ; left -= 1) {
      const stage = new Stage({ surface: followed, follower, recording, mayKill: left > 0 });
      const ending = await stage.play(fail);
      if (ending.outcome !== null || !stage.hasKilled) return ending;
    }
  } finally {
    follower.release();
  }
}

interface StageOptions {
  readonly surface: AppContext;
  readonly follower: SteadyFollower;
  readonly recording: Recording;
  readonly mayKill: boolean;
}

/** The story as one supervisor drives it. */
class Stage {
  readonly #options: StageOptions;
  hasKilled = false;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  play(fail: Failure | undefined): Promise<FollowedStory> {
    const { surface, recording } = this.#options;
    return withSupervisor(surface, async (client) => {
      if (recording.events.length === 0) await client.call("run", describeStory(fail));
      return followStory(surface, client, { story: STORY, onEvent: (event) => this.#onEvent(client, event) });
    });
  }

  #onEvent(client: SupervisorClient, event: JournalEvent): void {
    const { recording, mayKill, follower } = this.#options;
    const isNew = event.seq > (recording.events.at(-1)?.seq ?? 0);
    if (isNew) recording.events.push(event);
    if (event.type === "approval-requested" && event.data.kind === "clarification")
      this.#answer(client, event.data, isNew);
    if (!isNew || !mayKill || this.hasKilled || event.type !== "delegation-merged") return;
    this.hasKilled = true;
    const { pid } = client.hello;
    recording.kills.push({ pid, afterSeq: event.seq });
    follower.note(`kill -9 ${pid}: the supervisor is gone. The journal shows where to continue.`);
    process.kill(pid, "SIGKILL");
  }

  #answer(
    client: SupervisorClient,
    { approvalId, question }: { approvalId: string; question: string },
    isNew: boolean,
  ): void {
    if (isNew) this.#options.follower.note(`Asked: ${question} The demo answers: npm, please.`);
    const given = { answer: "replied", reason: "npm, please", by: "you" } as const;
    // Refused if past events are repeated and the question has its answer already.
    void client.call("answer", { approval: approvalId, ...given }).catch(() => undefined);
  }
}

function describeStory(fail: Failure | undefined) {
  return {
    id: STORY,
    isProjectTrusted: true,
    title: "Write the functions of the till so that all tests pass",
    agent: "manager",
    criteria: ["`npm test` passes"],
    ...(fail === "budget" ? { budgetMicroUsd: 1_000_000 } : {}),
  };
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
