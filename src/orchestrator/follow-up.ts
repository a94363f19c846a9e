import type { StoryVariables } from "../contract/environment-variables.ts";
import { orchestratorErrors } from "../errors/orchestrator.ts";
import type { Delegation } from "../journal/store.ts";
import type { EngineCalls } from "./live/engine-calls.ts";
import { quoteAsData } from "./delegation/data-block.ts";
import { importRemainingWork } from "./delegation/keep-work.ts";
import { nameManagerBranch } from "./delegation/manager-branch.ts";
import type { StoryCaller } from "./ports/story-origins.ts";
import { isLedWithoutAgent, readWorkflowFacts } from "./delegation/kind.ts";

export interface FollowUpRequest {
  readonly id: string;
  /** `work` continues from the kept work, `base` starts over. */
  readonly from: "work" | "base";
  readonly note: string;
  readonly agent?: string | undefined;
  readonly budgetMicroUsd?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly isProjectTrusted?: boolean | undefined;
  readonly env?: StoryVariables | undefined;
}

/** Continues an ended delegation as a new story with the same contract. The old one's branch and records stay. */
export async function continueDelegation(
  engine: EngineCalls,
  request: FollowUpRequest,
  caller?: StoryCaller,
): Promise<string> {
  const { store } = engine.tools;
  const old = await store.delegation(request.id);
  if (old === undefined) throw orchestratorErrors.delegationNotFound(request.id);
  if (old.state !== "closed") throw orchestratorErrors.stillOpen(old.id, old.state);
  await refuseWorkflow(engine, old);
  if (isLedWithoutAgent(old) && request.agent === undefined)
    throw orchestratorErrors.noAgentToContinue(old.id);
  const story = await store.story(old.story);
  const { agent, budgetMicroUsd, timeoutSeconds } = request;
  // Its folder may hold work that could not be imported when it was stopped.
  engine.tools.git.allowImports(old.id);
  if (old.workspace !== null && request.from === "work") await importRemainingWork(engine.tools, old);
  const newest = (await store.delegation(old.id)) ?? old;
  const start = request.from === "work" ? await findNewestWork(engine, newest) : old.base;
  const next = {
    id: await findFreeId(engine, old.id),
    title: old.description,
    ...chooseAgent(old, agent),
    context: [old.work?.context ?? "", describePast(old), request.note]
      .filter((part) => part !== "")
      .join("\n\n"),
    criteria:
      old.work?.criteria.map(({ text, check, required, origin }) => ({
        text,
        required,
        ...(check === undefined ? {} : { check }),
        ...(origin === undefined ? {} : { origin }),
      })) ?? [],
    fileScope: old.scope.length === 0 ? undefined : [...old.scope],
    timeoutSeconds: timeoutSeconds ?? old.timeoutSeconds,
    budgetMicroUsd: budgetMicroUsd ?? old.money.limit ?? undefined,
    isolation: old.workspace?.isolation === "sandbox" ? "sandbox" : old.work?.isolation,
    network: old.work?.network,
    readable: old.work?.readable,
    isProjectTrusted: request.isProjectTrusted,
    task: old.work?.task,
    base: start ?? undefined,
    holdsSandboxedWork: (await store.hasSandboxedWork(old.story)) ? true : undefined,
    env: await repeatVariables(engine, old, request.env),
    ...(story === undefined ? {} : { delegationConfig: { maxDepth: story.limits.maxDepth } }),
  };
  return engine.openStory(next, caller);
}

/** The journal has names only, so the shell that continues a story must have the values, or give them again. */
async function repeatVariables(
  { tools }: EngineCalls,
  { story }: Delegation,
  given: StoryVariables | undefined,
): Promise<StoryVariables | undefined> {
  const before = (await tools.store.delegation(story))?.work?.env ?? [];
  const set = given?.set ?? {};
  const repeated = before.filter((name) => set[name] === undefined);
  const pass = [...new Set([...repeated, ...(given?.pass ?? [])])];
  return pass.length === 0 && given === undefined ? undefined : { pass, set };
}

/** Only the command itself continues a workflow run: a separate story would not update its task. */
async function refuseWorkflow({ tools }: EngineCalls, { id, story, parent }: Delegation): Promise<void> {
  const root = parent === null || parent === story ? await tools.store.delegation(story) : undefined;
  const facts = root === undefined ? undefined : readWorkflowFacts(root);
  if (facts === undefined || facts.task === null) return;
  throw orchestratorErrors.continueByCommand({ id, command: facts.command, task: facts.task });
}

/** A story without an agent has no work of its own; only what was merged counts. */
async function findNewestWork({ tools }: EngineCalls, old: Delegation): Promise<string | null> {
  const merged = isLedWithoutAgent(old)
    ? await tools.git.readBranch(nameManagerBranch(old.id, old.story))
    : null;
  return merged ?? old.tip ?? old.base;
}

function chooseAgent(old: Delegation, agent: string | undefined) {
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
  const how = `${outcome ?? "open"}${code === null ? "" : ` (${code})`}`;
  return `This continues ${id}, which ended ${how}.${summary === "" ? "" : `\n${quoteAsData(id, summary)}`}`;
}

const MAX_FOLLOW_UPS = 1000;

async function findFreeId(engine: EngineCalls, id: string): Promise<string> {
  const stem = id.replace(/\.\d+$/, "");
  for (let number = 2; number < MAX_FOLLOW_UPS; number += 1) {
    const candidate = `${stem}.${number}`;
    if ((await engine.tools.store.delegation(candidate)) === undefined) return candidate;
  }
  throw orchestratorErrors.tooManyFollowUps(stem, MAX_FOLLOW_UPS);
}
