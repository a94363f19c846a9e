import * as z from "zod";
import { systemClock } from "../../../base/clock.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { Delegation, StoreReader, Story } from "../../../journal/store.ts";
import { storyRefOf } from "../../../workspace/branch-names.ts";
import { readBranch } from "../../../workspace/look-up.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { paint } from "../../render/paint.ts";
import { whyDelegation } from "../../../reports/why-delegation.ts";
import { renderExplanation } from "../../render/explanation.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { criteriaRows } from "../../../orchestrator/criteria-rows.ts";
import { readOpenQuestions } from "../../../app/open-questions.ts";
import { runningSupervisor } from "../work/project-supervisor.ts";
import { openWorkspaces } from "../../../app/open-project.ts";
import { meaningOf } from "../../../errors/code-meanings.ts";
import { limitsInForce } from "./limits-in-force.ts";
import { problemsOf, refusalsOf } from "./problems.ts";
import { readEvents } from "../../../app/journal-events.ts";
import { whySo } from "./why-so.ts";

/** Why a story or delegation is where it is. A word in capitals may be a code instead. */
export async function explain(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const word = invocation.argument("id");
  if (/^[A-Z][A-Z_]*(?::\w+)?$/.test(word)) {
    const { explainCode } = await import("./explain-code.ts");
    const explained = await explainCode(context, word);
    if (explained !== undefined) return explained;
  }
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, word);
    if (reader === undefined || target === undefined) return emptyExplanation;
    const delegation = await reader.delegation(target.id);
    if (delegation === undefined) return emptyExplanation;
    return explainWork(context, reader, { story: target.story, delegation });
  });
}

const emptyExplanation: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, id: null, state: null, why: [], next: [] },
  text: nothingYet,
};

interface Explained {
  readonly story: Story;
  readonly delegation: Delegation;
}

async function explainWork(
  context: CommandContext,
  reader: StoreReader,
  { story, delegation }: Explained,
): Promise<CommandOutcome> {
  const { id, state, outcome, code, summary, description, attempt } = delegation;
  const events = await readEvents(reader, { story: story.id });
  const own = events.filter((event) => event.delegation === id);
  const isStory = id === story.id;
  const tree = await reader.storyTree(story.id);
  const reason = whySo({
    delegation,
    tree,
    questions: await readOpenQuestions(reader),
    ...(await askSupervisor(context, delegation)),
    hasStoryBranch: isStory && (await hasStoryBranch(context, id)),
    nowMs: systemClock.wallMs(),
  });
  const meaning = code === null ? undefined : meaningOf(code);
  const explanation = {
    story: story.id,
    id,
    description,
    state,
    outcome,
    code,
    code_means: meaning?.[0] ?? null,
    summary,
    attempt,
    why: reason.why,
    ...whyDelegation(delegation, { events: own, tree }),
    limits: await limitsInForce(context, story, delegation),
    refusals: refusalsOf(events).filter(({ parent }) => isStory || parent === id),
    criteria: criteriaRows({ delegation, events: own, approvals: await reader.approvalsOf(id) }),
    problems: problemsOf(own),
    next: reason.next,
  };
  const style = { ascii: context.ascii, paint: paint(context.color("stdout")), all: context.verbose };
  return { exitCode: exitCode.completed, json: explanation, text: renderExplanation(explanation, style) };
}

const waitsSchema = z.object({ waits: z.string().nullable() });

/** Never starts one: a look must not set work in motion. */
async function askSupervisor(
  context: CommandContext,
  { id, state }: Delegation,
): Promise<{ readonly isSupervised: boolean; readonly waits: string | null }> {
  if (state === "closed") return { isSupervised: false, waits: null };
  // One of another version does not answer us, but it is there.
  const client = await runningSupervisor(context).catch(() => "other" as const);
  if (client === "other") return { isSupervised: true, waits: null };
  if (client === undefined) return { isSupervised: false, waits: null };
  try {
    return { isSupervised: true, waits: waitsSchema.parse(await client.call("explain", { id })).waits };
  } finally {
    client.close();
  }
}

async function hasStoryBranch(context: CommandContext, story: string): Promise<boolean> {
  const { repository } = await openWorkspaces(context);
  return (await readBranch(repository, storyRefOf(story))) !== null;
}
