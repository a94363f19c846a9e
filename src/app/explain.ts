import * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { readErrorMessage } from "../base/delegation-error.ts";
import { hasErrorCode } from "../base/files.ts";
import { findProjectRoot } from "../project/find-project.ts";
import { delegationStates, outcomes } from "../contract/outcome.ts";
import { findCodeMeaning, explainedCodes, stripCodeDetail } from "../errors/code-meanings.ts";
import type { Delegation, StoreReader, Story } from "../journal/store.ts";
import { buildCriteriaRows } from "../orchestrator/criteria-rows.ts";
import { describeAnswer } from "../reports/answer-text.ts";
import { explainDelegation } from "../reports/why-delegation.ts";
import { storyRefName } from "../workspace/branch-names.ts";
import { readBranchCommit } from "../workspace/look-up.ts";
import { exitCodeFor } from "../contract/error-code.ts";
import { exitCode, exitCodeMeanings } from "../contract/exit-code.ts";
import { usageError } from "../errors/usage.ts";
import type { AppContext } from "./project/app-context.ts";
import { findDriver } from "./project/find-driver.ts";
import { findSupervisor } from "./project/connect-supervisor.ts";
import { type StateFacts, explainState } from "./explain/explain-state.ts";
import { limitsInForce } from "./explain/limits-in-force.ts";
import { problemsOf, refusalsOf, type Refused } from "./explain/list-problems.ts";
import { findTarget } from "./project/find-target.ts";
import { readEvents } from "./project/journal-events.ts";
import { findProject, openWorkspaces, readStore } from "./project/open-project.ts";
import { readOpenQuestions } from "./project/open-questions.ts";
import { defineUseCase } from "./use-case.ts";
import { criterionSchema } from "./verify/read-criteria-rows.ts";
import { copyFields } from "./wire/copy-fields.ts";
import { findCommonDirectory } from "../project/find-project.ts";
import { listStoryBranches } from "../workspace/story-branches.ts";

const MAX_SUGGESTED = 3;

const attempt = () =>
  z.looseObject({
    attempt: z.int(),
    duration_ms: z.number().nullable(),
    cost_usd: z.number().nullable(),
    ended: z.string().nullable(),
    machine: z.string().nullable().describe("The worker machine of a cluster; null for this one"),
  });

/** The reasons why it cannot continue, and its failures. */
const obstacles = () => ({
  limits: z.array(
    z.looseObject({
      limit: z.string(),
      used: z.string().nullable(),
      allowed: z.string(),
      origin: z.string(),
    }),
  ),
  refusals: z.array(
    z.looseObject({
      at: z.string(),
      parent: z.string(),
      description: z.string(),
      failures: z.array(z.looseObject({ code: z.string(), message: z.string() })),
    }),
  ),
  problems: z.array(
    z.looseObject({
      at: z.string(),
      delegation: z.string(),
      attempt: z.int(),
      code: z.string().nullable(),
      message: z.string(),
    }),
  ),
});

const work = () =>
  z.looseObject({
    story: z.string(),
    id: z.string(),
    description: z.string(),
    state: z.enum(delegationStates),
    outcome: z.enum(outcomes).nullable(),
    code: z.string().nullable(),
    code_means: z.string().nullable(),
    summary: z.string(),
    errors: z
      .array(z.looseObject({ type: z.string(), code: z.string(), message: z.string() }))
      .describe("Problems that its worker reports, with its recommendations"),
    next_steps: z.string().nullable().describe("The next steps that its worker advises"),
    attempt: z.int(),
    why: z.array(z.string()),
    route: z.looseObject({
      agent: z.string().nullable(),
      adapter: z.string().nullable(),
      model: z.string().nullable(),
      asked_by: z.string().nullable(),
      reasons: z.array(z.string()),
    }),
    guards: z.looseObject({ passed: z.array(z.string()), warnings: z.array(z.string()) }),
    spent: z.looseObject({
      cost_usd: z.number().nullable(),
      with_workers_usd: z.number().nullable(),
      tokens_in: z.int(),
      tokens_out: z.int(),
      estimated: z.boolean(),
      attempts: z.array(attempt()),
      stage_ms: z.record(z.string(), z.number()),
    }),
    ...obstacles(),
    criteria: z.array(criterionSchema()),
    answers: z.array(z.string()).describe("The answers to its questions, with who gave them and how"),
    next: z.array(z.string()).describe("Commands, the most useful first"),
  });

const nothing = () =>
  z.looseObject({
    story: z.null(),
    id: z.null(),
    state: z.null(),
    why: z.array(z.string()),
    next: z.array(z.string()),
  });

const code = () =>
  z.looseObject({
    code: z.string(),
    means: z.string(),
    exit_status: z.int(),
    exit_status_means: z.string(),
    next: z.string(),
  });

export type WorkExplanation = z.output<ReturnType<typeof work>>;
export type CodeExplanation = z.output<ReturnType<typeof code>>;
/** Why a story or delegation is where it is: reasons, limits with their origin, refusals, next steps. */
export const explainUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      id: z
        .string()
        .default("")
        .describe("An id, its beginning or a path such as 2.1; the newest story by default"),
    }),
  output: () => z.union([work(), nothing()]),
  isReadOnly: true,
  run: (context, { id }) =>
    readStore(context, async (reader) => {
      const target = await findTarget(reader, id);
      const delegation = target === undefined ? undefined : await reader?.delegation(target.id);
      if (reader === undefined || target === undefined || delegation === undefined)
        return { story: null, id: null, state: null, why: [], next: [] };
      return explainWork(context, reader, { story: target.story, delegation });
    }),
});

/** Explains an error code. A story of that name has priority, because ids may be capitals too. */
export const explainCodeUseCase = defineUseCase({
  input: () => z.strictObject({ code: z.string() }),
  output: code,
  isReadOnly: true,
  run: async (_context, { code: word }) => {
    const explained = explainCode(word);
    if (explained === undefined) throw new TypeError(`${word} is not a code`);
    return { ...explained };
  },
});

/** Whether a word means an error code here: it looks like one and no story or delegation has that name. */
export async function isErrorCode(context: AppContext, word: string): Promise<boolean> {
  if (!/^[A-Z][A-Z_]*(?::\w+)?$/.test(word)) return false;
  const isWork =
    findProjectRoot(context.directory) !== undefined &&
    (await readStore(context, async (reader) => (await reader?.delegation(word)) !== undefined));
  return !isWork && explainCode(word) !== undefined;
}

async function explainWork(
  context: AppContext,
  reader: StoreReader,
  { story, delegation }: { readonly story: Story; readonly delegation: Delegation },
): Promise<WorkExplanation> {
  const { id, state, outcome, code: ended, summary, description, attempt: count } = delegation;
  const events = await readEvents(reader, { story: story.id });
  const own = events.filter((event) => event.delegation === id);
  const isStory = id === story.id;
  const tree = await reader.storyTree(story.id);
  const criteria = buildCriteriaRows({ delegation, events: own, approvals: await reader.approvalsOf(id) });
  const reason = explainState({
    delegation,
    tree,
    questions: await readOpenQuestions(reader),
    ...(await askSupervisor(context, delegation)),
    hasStoryBranch: isStory && (await hasStoryBranch(context, id)),
    isMerged: isStory && isMerged(context, id),
    isProven: criteria.some(({ required, verdict }) => required && verdict === "passed"),
    nowMs: systemClock.wallMs(),
  });
  const { route, guards, spent } = explainDelegation(delegation, { events: own, tree });
  const refusals = refusalsOf(events).filter(({ parent }) => isStory || parent === id);
  return {
    story: story.id,
    id,
    description,
    state,
    outcome,
    code: ended,
    code_means: ended === null ? null : (findCodeMeaning(ended)?.[0] ?? null),
    summary,
    errors: delegation.errors.map(copyFields),
    next_steps: delegation.nextSteps === "" ? null : delegation.nextSteps,
    attempt: count,
    why: [...reason.why],
    route: { ...route, reasons: [...route.reasons] },
    guards: { passed: [...guards.passed], warnings: [...guards.warnings] },
    spent: { ...spent, attempts: spent.attempts.map(copyFields), stage_ms: { ...spent.stage_ms } },
    limits: (await limitsInForce(context, story, delegation)).map(copyFields),
    refusals: refusals.map(copyRefusal),
    criteria: criteria.map(copyFields),
    answers: own.flatMap(({ type, data }) => (type === "approval-answered" ? [describeAnswer(data)] : [])),
    problems: problemsOf(own).map(copyFields),
    next: [...reason.next],
  };
}

function copyRefusal({ at, parent, description, failures }: Refused) {
  return { at, parent, description, failures: failures.map(copyFields) };
}

/** Never starts a supervisor: a look must not set work in motion. */
async function askSupervisor(
  context: AppContext,
  { id, state }: Delegation,
): Promise<Pick<StateFacts, "isSupervised" | "waits" | "trouble">> {
  if (state === "closed") return { isSupervised: false, waits: null };
  const isSupervised = findDriver(context) !== undefined;
  try {
    const client = await findSupervisor(context);
    if (client === undefined) return { isSupervised, waits: null };
    const { waits } = await client.call("explain", { id }).finally(() => client.close());
    return { isSupervised: true, waits };
  } catch (error) {
    // One of another version does not answer us, but it drives the work; one that is stuck does not.
    const isStuck = hasErrorCode(error, "SUPERVISOR_STUCK");
    return { isSupervised, waits: null, ...(isStuck ? { trouble: readErrorMessage(error) } : {}) };
  }
}

function isMerged(context: AppContext, story: string): boolean {
  const { root } = findProject(context);
  return listStoryBranches(findCommonDirectory(root) ?? root).get(story)?.isMerged ?? false;
}

async function hasStoryBranch(context: AppContext, story: string): Promise<boolean> {
  const { repository } = await openWorkspaces(context);
  return (await readBranchCommit(repository, storyRefName(story))) !== null;
}

interface ExplainedCode {
  readonly [key: string]: unknown;
  readonly code: string;
  readonly means: string;
  readonly exit_status: number;
  readonly exit_status_means: string;
  readonly next: string;
}

/** Explains a code. Undefined for a word that is probably an id. */
function explainCode(word: string): ExplainedCode | undefined {
  const meaning = findCodeMeaning(word);
  if (meaning === undefined) {
    // Only words that can hardly be an id are refused as codes.
    if (!word.includes("_")) return undefined;
    throw usageError(`there is no code ${word}`, suggestCodes(word));
  }
  const [means, next] = meaning;
  const status = exitCodeFor(stripCodeDetail(word));
  return { code: word, means, exit_status: status, exit_status_means: findStatusMeaning(status), next };
}

function findStatusMeaning(status: number): string {
  const [name] = Object.entries(exitCode).find(([, value]) => value === status) ?? [];
  return Object.entries(exitCodeMeanings).find(([key]) => key === name)?.[1] ?? "";
}

/** Codes that share a word with what was typed. */
function suggestCodes(word: string): string {
  const parts = word.split("_").filter((part) => part.length > 2);
  const close = explainedCodes.filter((code) => parts.some((part) => code.split("_").includes(part)));
  const all = "All codes: ambit help exit-codes.";
  return close.length === 0 ? all : `Did you mean ${close.slice(0, MAX_SUGGESTED).join(", ")}? ${all}`;
}
