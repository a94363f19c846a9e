import * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { delegationStates, outcomes } from "../contract/outcome.ts";
import type { Delegation, OutlinedDelegation, StoreReader } from "../journal/store.ts";
import { buildStatus, buildStatusDocument } from "../reports/status.ts";
import { MIN_SILENT_MS } from "../reports/story-totals.ts";
import { hasLogs } from "./logs/find-log-files.ts";
import { isInterrupted } from "./project/find-driver.ts";
import { findMachines } from "./project/find-machines.ts";
import { findTarget } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import {
  answeringCommands,
  findExpiry,
  type OpenQuestion,
  readOpenQuestions,
} from "./project/open-questions.ts";
import { readUnservedWork, type UnservedWork } from "./project/unserved-work.ts";
import { findWaitingWork } from "./project/waiting-work.ts";
import { readStoryTodos, todoSchema } from "./todos/read-story-todos.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({ story: z.string().default("").describe("An id or its beginning; the newest by default") });

const statuses = ["pending", "running", ...outcomes] as const;

const entry = () =>
  z.looseObject({
    id: z.string(),
    description: z.string(),
    depth: z.int(),
    status: z.enum(statuses),
    state: z.enum(delegationStates),
    code: z.string().nullable(),
    summary: z.string(),
    agent: z.string().nullable(),
    attempt: z.int(),
    waits_for_provider: z.string().nullable(),
    not_before: z.string().nullable(),
    cost_usd: z.number().nullable(),
    estimated: z.boolean(),
    started_at: z.string().nullable(),
    duration_ms: z.number().nullable(),
    question: z.string().optional().describe("Its question to a person"),
    expires_at: z.string().optional().describe("When it continues without an answer"),
    answer_with: z.array(z.string()).optional().describe("The commands that answer the question"),
    blocks: z.array(z.string()).optional().describe("Open work that waits for the answer"),
    latest: z.string().optional().describe("The newest line that it wrote"),
    machine: z.string().optional().describe("The worker machine of a cluster that it runs on"),
    waits_for_machine: z.string().optional().describe("Why no machine of the cluster begins it"),
    silent_seconds: z
      .int()
      .optional()
      .describe("How long it has written nothing, once that is five minutes or delegation.idle.warnSeconds"),
  });

const elsewhereSchema = () =>
  z.looseObject({
    story: z.string(),
    delegation: z.string(),
    question: z.string(),
    expires_at: z.string(),
    answer_with: z.array(z.string()),
  });

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    title: z.string().optional(),
    status: z.enum(statuses).optional(),
    total_delegations: z.int().optional(),
    ended: z.int().optional(),
    total_cost_usd: z.number().nullable().optional(),
    estimated: z.boolean().optional(),
    interrupted: z
      .boolean()
      .optional()
      .describe("Whether open work is interrupted because no supervisor runs"),
    needs_you: z.array(entry()).describe("Open questions, and ended work that needs a decision"),
    working: z.array(entry()),
    queued: z.array(entry()),
    checking: z
      .array(z.looseObject({ id: z.string(), check: z.string(), since: z.string(), last: z.string() }))
      .describe("Checks that run now"),
    done: z.array(entry()),
    todos: z.array(todoSchema()).optional(),
    other_open_stories: z.array(z.string()),
    other_questions: z.array(elsewhereSchema()).optional().describe("Open questions of other stories"),
    last_event: z.int().describe("The number of the newest event"),
    is_over: z.boolean().describe("Whether the story has ended or there is none"),
  });

export type StatusAnswer = z.output<ReturnType<typeof output>>;
export type StatusEntry = z.output<ReturnType<typeof entry>>;

/** One story at a glance: what needs a person, what runs, what waits, what is done. */
export const statusUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { story: word }) =>
    readStore(context, async (reader, project) => {
      const target = await findTarget(reader, word);
      if (reader === undefined || target === undefined) return emptyStatus;
      const { story } = target;
      const { seq } = await reader.head();
      const tree = await reader.storyOutline(story.id);
      const open = await readOpenQuestions(reader);
      const questions = open.filter(({ delegation }) => delegation.story === story.id);
      const asking = new Set(questions.map(({ delegation }) => delegation.id));
      const unserved = await readUnservedWork(project.storeFile, reader, tree);
      const machines = await findMachines(project.storeFile, reader, tree);
      const known = { asking, unserved: new Set(unserved.map(({ delegation }) => delegation)) };
      const report = buildStatusDocument(buildStatus(story, tree, known));
      // Open questions are in columns that an overview does without.
      const wholeTree = questions.length === 0 ? [] : await reader.storyTree(story.id);
      const facts = { questions, wholeTree, stateDirectory: project.stateDirectory };
      const limitMs = story.limits.idleWarnSeconds * 1000;
      return {
        ...report,
        interrupted: isInterrupted(project, tree, questions),
        needs_you: report.needs_you.map((member) => addQuestion(member, facts)),
        working: await Promise.all(
          report.working.map((member) => addOutput(addMachine(member, machines), { ...facts, limitMs })),
        ),
        queued: report.queued.map((member) => addMissingMachine(member, unserved)),
        checking: await findRunningChecks(reader, tree),
        todos: await readStoryTodos(reader, story.id),
        other_open_stories: await findOtherStories(reader, story.id),
        other_questions: open.filter((question) => !questions.includes(question)).map(describeElsewhere),
        last_event: seq,
        is_over: tree.find(({ id }) => id === story.id)?.state === "closed",
      };
    }),
});

/** Reading events loads their schemas, which a command that starts fast does without. */
async function findRunningChecks(reader: StoreReader, tree: readonly OutlinedDelegation[]) {
  if (!tree.some(({ state }) => state === "returned")) return [];
  const { listRunningChecks } = await import("./views/running-checks.ts");
  return listRunningChecks(reader, tree);
}

interface StoryFacts {
  readonly wholeTree: readonly Delegation[];
  readonly questions: readonly OpenQuestion[];
  readonly stateDirectory: string;
}

function addQuestion(member: StatusEntry, { questions, wholeTree }: StoryFacts): StatusEntry {
  const own = questions.filter(({ delegation }) => delegation.id === member.id);
  const [first] = own;
  if (first === undefined) return member;
  return {
    ...member,
    question: own.map(({ approval }) => approval.question).join("\n"),
    expires_at: findExpiry(first),
    answer_with: own.flatMap(answeringCommands),
    blocks: [...findWaitingWork(wholeTree, member.id)],
  };
}

function addMachine(member: StatusEntry, machines: ReadonlyMap<string, string>): StatusEntry {
  const machine = machines.get(member.id);
  return machine === undefined ? member : { ...member, machine };
}

function addMissingMachine(member: StatusEntry, unserved: readonly UnservedWork[]): StatusEntry {
  const found = unserved.find(({ delegation }) => delegation === member.id);
  return found === undefined ? member : { ...member, waits_for_machine: found.text };
}

/** Adds the last output of a worker, and whether it has been silent for long or for as long as its limit says. */
async function addOutput(
  member: StatusEntry,
  { stateDirectory, limitMs }: StoryFacts & { readonly limitMs: number },
): Promise<StatusEntry> {
  if (member.state !== "running") return member;
  const output = hasLogs(stateDirectory, member.id) ? await readOutput(stateDirectory, member) : undefined;
  const startedMs = Date.parse(member.started_at ?? "");
  const silentMs = systemClock.wallMs() - (output?.atMs ?? startedMs);
  const isSilent = silentMs >= Math.min(MIN_SILENT_MS, limitMs);
  return {
    ...member,
    ...(output === undefined || output.text === "" ? {} : { latest: output.text }),
    ...(isSilent ? { silent_seconds: Math.round(silentMs / 1000) } : {}),
  };
}

/** Reading a log loads the search for credentials, which a command that starts fast does without. */
async function readOutput(stateDirectory: string, member: StatusEntry) {
  const { readLatestOutput } = await import("./logs/read-latest.ts");
  return readLatestOutput(stateDirectory, member);
}

function describeElsewhere(question: OpenQuestion): z.output<ReturnType<typeof elsewhereSchema>> {
  return {
    story: question.delegation.story,
    delegation: question.delegation.id,
    question: question.approval.question,
    expires_at: findExpiry(question),
    answer_with: [...answeringCommands(question)],
  };
}

const emptyStatus: StatusAnswer = {
  story: null,
  needs_you: [],
  working: [],
  queued: [],
  checking: [],
  done: [],
  other_open_stories: [],
  last_event: 0,
  is_over: true,
};

const MAX_OPEN_STORIES = 1000;

async function findOtherStories(reader: StoreReader, story: string): Promise<string[]> {
  return (await reader.openStories(MAX_OPEN_STORIES)).filter((id) => id !== story);
}
