import { describeSchemaIssues } from "../base/schema-issues.ts";
import { DelegationError } from "../base/delegation-error.ts";
import type { WorkProof } from "../contract/work-proof.ts";
import { dashboardErrors } from "../errors/dashboard.ts";
import type { StoreReader } from "../journal/store.ts";
import { listStoryBranches } from "../workspace/story-branches.ts";
import { storyBranchName } from "../workspace/branch-names.ts";
import { listAgentsUseCase } from "./agents.ts";
import { openCheckout } from "./merge/open-merge.ts";
import { previewMergeUseCase } from "./preview-merge.ts";
import {
  adviceWords,
  previewStoryUseCase,
  summarizeCost,
  summarizeOrder,
  summarizeWorkers,
} from "./preview-story.ts";
import type { AppContext } from "./project/app-context.ts";
import { findStoryProof } from "./project/find-story-proof.ts";
import { readStore } from "./project/open-project.ts";
import type { MergePlan, StoryAdvice, StoryWork } from "./view-types.ts";
import { draftSchema } from "./views/action.ts";

/** Where the work of a story is, and what merging it would do. Changes nothing. */
export async function readStoryWork(context: AppContext, story: string): Promise<StoryWork> {
  const branches = listStoryBranches((await openCheckout(context)).repository.commonDirectory);
  const own = branches.get(story);
  const place = {
    proof: await readStore(context, (reader) => readProof(reader, story)),
    branch: own === undefined ? null : storyBranchName(story),
    isMerged: own?.isMerged ?? false,
  };
  try {
    return { ...place, plan: await planMerge(context, story), problem: null };
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
    const { code, message, recommendation } = error;
    return { ...place, plan: null, problem: { code, message, recommendation } };
  }
}

async function readProof(reader: StoreReader | undefined, story: string): Promise<WorkProof | null> {
  const root = await reader?.delegation(story);
  if (reader === undefined || root?.outcome !== "completed") return null;
  return findStoryProof(root, await reader.storyTree(story));
}

async function planMerge(context: AppContext, story: string): Promise<MergePlan | null> {
  const plan = await previewMergeUseCase.run(context, { id: story });
  const empty = { into: "", tip: "", added: 0, removed: 0, files: [], edited: [], unproven: [] };
  switch (plan.status) {
    case "ready": {
      const { status, branch: into, tip, added, removed, edited, unproven } = plan;
      return {
        status,
        into,
        tip,
        added,
        removed,
        edited,
        unproven,
        files: plan.files.map(({ path }) => path),
      };
    }
    case "conflict":
      return { ...empty, status: plan.status, into: plan.branch, tip: plan.tip, files: plan.files };
    case "already-merged":
      return { ...empty, status: plan.status, into: plan.branch ?? "" };
    case "unfinished":
      return { ...empty, status: plan.status, tip: plan.tip };
    case "no-story":
      return null;
  }
}

/** Shows what a draft would start, with the advice of the dry run. Changes nothing. */
export async function adviseDraft(context: AppContext, json: string): Promise<StoryAdvice> {
  const draft = draftSchema().safeParse(parseJson(json));
  if (!draft.success) throw dashboardErrors.actionNotUnderstood(describeSchemaIssues(draft.error));
  const warnings: string[] = [];
  const asking = { ...context, warn: (text: string) => void warnings.push(text) };
  const preview = await previewStoryUseCase.run(asking, { story: draft.data });
  const { prediction, limits } = preview;
  const budget = limits.budget_usd === null ? "no budget" : `at most $${limits.budget_usd.toFixed(2)}`;
  const facts = [
    summarizeWorkers(prediction),
    summarizeOrder(prediction),
    summarizeCost(prediction),
    budget,
    `at most ${Math.round(limits.timeout_seconds / 60)} minutes for each attempt`,
  ];
  return {
    agent: preview.agent ?? "",
    facts: facts.filter((fact) => fact !== undefined),
    advice: adviceWords[prediction.advice],
    reasons: prediction.reasons,
    criteria: preview.criteria,
    warnings,
  };
}

/** The agents that can work here, the default one first. */
export async function listDraftAgents(context: AppContext): Promise<{ readonly agents: readonly string[] }> {
  const { agents, default: chosen } = await listAgentsUseCase.run(context, {});
  const names = agents.map(({ name }) => name).filter((name) => name !== chosen);
  return { agents: [...(chosen === null ? [] : [chosen]), ...new Set(names)] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw dashboardErrors.bodyNotJson(error);
  }
}
