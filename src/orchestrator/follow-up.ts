import { DelegationError } from "../base/delegation-error.ts";
import type { Delegation } from "../journal/store.ts";
import type { Engine } from "./engine.ts";
import { managerBranch } from "./delegation/manager-branch.ts";
import { isOutside } from "./external-manager/rules.ts";
import { workflowOf } from "./delegation/kind.ts";

export interface FollowUpRequest {
  readonly id: string;
  /** `work` goes on from what was kept, `base` begins anew. */
  readonly from: "work" | "base";
  readonly note: string;
  readonly agent?: string | undefined;
  readonly budgetMicroUsd?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/**
 * What has ended stays ended; going on with it is a new story with the same contract, which names the old one. The
 * old one's branch and records stay.
 */
export async function followUp(engine: Engine, request: FollowUpRequest): Promise<string> {
  const { store } = engine.tools;
  const old = await store.delegation(request.id);
  if (old === undefined) throw notFound(request.id);
  if (old.state !== "closed") throw stillOpen(old);
  await refuseWorkflow(engine, old);
  if (isOutside(old) && request.agent === undefined) throw nobodyToDrive(old);
  const story = await store.story(old.story);
  const { agent, budgetMicroUsd, timeoutSeconds } = request;
  const start = request.from === "work" ? await newestWork(engine, old) : old.base;
  return engine.openStory({
    id: await freeId(engine, old.id),
    title: old.description,
    ...whoWorks(old, agent),
    context: [old.work?.context ?? "", describePast(old), request.note]
      .filter((part) => part !== "")
      .join("\n\n"),
    criteria:
      old.work?.criteria.map(({ text, check, required }) => ({
        text,
        required,
        ...(check === undefined ? {} : { check }),
      })) ?? [],
    fileScope: old.scope.length === 0 ? undefined : [...old.scope],
    timeoutSeconds: timeoutSeconds ?? old.timeoutSeconds,
    budgetMicroUsd: budgetMicroUsd ?? old.money.limit ?? undefined,
    isolation: old.work?.isolation,
    network: old.work?.network,
    readable: old.work?.readable,
    task: old.work?.task,
    base: start ?? undefined,
    ...(story === undefined ? {} : { delegationConfig: { maxDepth: story.limits.maxDepth } }),
  });
}

/** A workflow command is gone on with by giving it again: a story beside it would leave its task as it is. */
async function refuseWorkflow({ tools }: Engine, { id, story, parent }: Delegation): Promise<void> {
  const root = parent === null || parent === story ? await tools.store.delegation(story) : undefined;
  const facts = root === undefined ? undefined : workflowOf(root);
  if (facts === undefined || facts.task === null) return;
  throw new DelegationError({
    code: "USAGE",
    message: `${id} is a run of ${facts.command} for task ${facts.task}, which the command itself goes on with.`,
    recommendation: `Run ambit ${facts.command} ${facts.task}; add --fresh to begin anew.`,
  });
}

/** What was merged of it is all there is of a manager whose own files were never ours. */
async function newestWork({ tools }: Engine, old: Delegation): Promise<string | null> {
  const merged = isOutside(old) ? await tools.git.readBranch(managerBranch(old.id, old.story)) : null;
  return merged ?? old.tip ?? old.base;
}

function whoWorks(old: Delegation, agent: string | undefined) {
  if (agent !== undefined) return { agent };
  const { adapter = "command", command = [], model, tools } = old.work ?? {};
  return {
    adapter,
    ...(command.length === 0 ? {} : { command: [...command] }),
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
  };
}

function describePast({ id, outcome, code, summary }: Delegation): string {
  return `This goes on from ${id}, which ended ${outcome ?? "open"}${code === null ? "" : ` (${code})`}: ${summary}`;
}

const MOST_FOLLOW_UPS = 1000;

async function freeId(engine: Engine, id: string): Promise<string> {
  const stem = id.replace(/\.\d+$/, "");
  for (let number = 2; number < MOST_FOLLOW_UPS; number += 1) {
    const candidate = `${stem}.${number}`;
    if ((await engine.tools.store.delegation(candidate)) === undefined) return candidate;
  }
  throw new DelegationError({
    code: "STORY_EXISTS",
    message: `${stem} has been taken up ${MOST_FOLLOW_UPS} times.`,
    recommendation: "Start a new story under another id.",
  });
}

function notFound(id: string): DelegationError {
  return new DelegationError({
    code: "DELEGATION_NOT_FOUND",
    message: `There is no delegation ${id} in this project.`,
    recommendation: "See what there is with ambit status.",
  });
}

function nobodyToDrive({ id }: Delegation): DelegationError {
  return new DelegationError({
    code: "AGENT_NOT_FOUND",
    message: `${id} was led from outside, by an agent that was not started here.`,
    recommendation: "Go on in that agent, or name one that is to go on: --agent <name>.",
  });
}

function stillOpen({ id, state }: Delegation): DelegationError {
  return new DelegationError({
    code: "STORY_EXISTS",
    message: `${id} has not ended; it is ${state}.`,
    recommendation: `Watch it with ambit attach ${id}, or stop it first.`,
  });
}
