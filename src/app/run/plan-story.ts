import { dropUndefined } from "../../base/json.ts";
import { readDefinition, type AgentDefinition } from "../../agents/definitions.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { ResolvedConfig } from "../../config/resolved-config.ts";
import { listFlagSettings } from "../../config/story-flags.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import { storyDelegationConfigSchema, storyFlagsSchema } from "../../contract/config.ts";
import { parseDirectives } from "../../contract/directive.ts";
import type { Limits } from "../../contract/limits.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { Template } from "../../contract/template.ts";
import type { StoreReader } from "../../journal/store.ts";
import {
  findAdaptedDepth,
  predictSplit,
  readDepthPolicy,
  readHistory,
  type PlannedPart,
  type PlanOrigin,
  type SplitHistory,
  type SplitPrediction,
  type Spread,
} from "../../orchestrator/predict-split.ts";
import { findPartPlaces } from "../../templates/apply-template.ts";
import { loadPrices } from "../../ledger/prices.ts";
import type { AppContext } from "../project/app-context.ts";
import { findProject, readStore } from "../project/open-project.ts";
import { describePlan, nameDecider } from "../../verification/describe-plan.ts";
import { readCriteria } from "../../verification/read-criteria.ts";
import { applyTemplate, type NamedTemplate } from "./apply-template.ts";
import { chooseWay } from "./choose-way.ts";

export interface PlannedStory {
  /** The request for the runtime, with the template applied that was asked for or assigned. */
  readonly request: StoryRequest;
  readonly template: NamedTemplate | undefined;
  /** The agent, where it is known without asking the runtime. */
  readonly agent: string | null;
  readonly limits: Limits;
  readonly origin: PlanOrigin;
  readonly parts: readonly PlannedPart[];
  readonly prediction: SplitPrediction;
}

export interface PlanOptions {
  /** A template, or several with commas, of which the story gets one. */
  readonly template: string | undefined;
  /**
   * Nothing will be started: a person waits for the prediction. Only then the price list is read, which is half a
   * megabyte of code, and the criteria, about which a story that starts says the same.
   */
  readonly isPreview: boolean;
}

/** Token counts of small, usual and large work; most of it is read again and again from the provider's cache. */
const workerTokens = {
  low: { inputTokens: 20_000, cachedTokens: 60_000, outputTokens: 3000 },
  middle: { inputTokens: 60_000, cachedTokens: 300_000, outputTokens: 10_000 },
  high: { inputTokens: 150_000, cachedTokens: 1_200_000, outputTokens: 30_000 },
} as const;

/** Applies the template to a story and predicts what dividing it would mean. Starts and changes nothing. */
export async function planStory(
  context: AppContext,
  request: StoryRequest,
  { template: templateName, isPreview }: PlanOptions,
): Promise<PlannedStory> {
  const { root } = findProject(context);
  const config = await readConfig(context, root, request);
  const { values } = config;
  const usual = request.adapter === undefined ? values.delegation.ways : [];
  const { template, ways } = await chooseWay(context, { projectRoot: root, asked: templateName, usual });
  const defaultAgent = values.agents.default;
  const assigned = ways === undefined ? request : { ...request, ways };
  const plan = findParts(template?.template, request.title);
  const agent = request.agent ?? (request.adapter === undefined ? defaultAgent : null);
  const limits = await readLimits(context, config);
  const planned =
    template === undefined
      ? assigned
      : applyTemplate(context, { request: assigned, template, defaultAgent, maxParts: countParts(limits) });
  const history = await readSplitHistory(context);
  const definition = agent === null ? undefined : await findDefinition(root, agent);
  if (isPreview && agent !== null && definition === undefined)
    context.warn(`no usable agent is called ${agent}: ambit agents list`);
  if (isPreview) for (const notice of listNotices(request, config)) context.warn(notice);
  const model = request.model ?? definition?.model;
  const isPriced = isPreview && history.workerMicroUsd === null && model !== undefined;
  const prediction = predictSplit({
    ...plan,
    storyScope: request.fileScope ?? [],
    limits,
    budgetMicroUsd: request.budgetMicroUsd ?? null,
    history,
    listMicroUsd: isPriced ? await priceWorker(model) : null,
  });
  return { ...plan, request: planned, template, agent, limits, prediction };
}

/** What is unclear about its criteria, what will be run, and who will be asked (R177). */
function listNotices(request: StoryRequest, { values }: ResolvedConfig): readonly string[] {
  const { test, reviewer } = values.verification;
  const sources = (request.criteria ?? []).map((source) =>
    typeof source === "string" ? source : dropUndefined(source),
  );
  const { criteria, warnings } = readCriteria(sources, { testCommand: test, description: request.title });
  const plan = describePlan(criteria, { notices: warnings, decider: nameDecider(reviewer, "You") });
  return [...warnings.map(({ message }) => message), ...plan];
}

/** As many as can be done at the same time; one of the workers that the limits allow proposes them. */
function countParts({ maxDelegations, fanOut: [mostWorkers], maxConcurrent }: Limits): number {
  return Math.max(1, Math.min(maxConcurrent, maxDelegations - 1, mostWorkers - 1));
}

/** Limits that are out of range are refused when the story starts; here they only mean the project's own. */
async function readConfig(
  context: AppContext,
  projectRoot: string,
  request: StoryRequest,
): Promise<ResolvedConfig> {
  const wish = storyDelegationConfigSchema.optional().safeParse(request.delegationConfig);
  const { environment, homeDirectory, configFile } = context;
  const story = { id: request.id, delegationConfig: wish.success ? wish.data : undefined };
  const given = storyFlagsSchema.optional().safeParse(request.flags);
  const flags = listFlagSettings(given.success ? given.data : undefined);
  return loadConfig({ projectRoot, environment, homeDirectory, configFile, story, flags });
}

/** As the story would begin with them, its depth adapted to earlier stories. */
async function readLimits(context: AppContext, config: ResolvedConfig): Promise<Limits> {
  const limits = limitsFromConfig(config.values, "story");
  const find = async (reader?: StoreReader) =>
    findAdaptedDepth(reader, readDepthPolicy(config), limits.maxDepth);
  // Advice must not prevent work: a store that cannot be read is explained when the story starts.
  const adapted = await readStore(context, find).catch(() => undefined);
  return adapted === undefined ? limits : { ...limits, maxDepth: adapted.depth };
}

/** The parts come from the template, its example, or directives in the person's own text. */
function findParts(
  template: Template | undefined,
  title: string,
): { readonly origin: PlanOrigin; readonly parts: readonly PlannedPart[] } {
  if (template !== undefined && template.parts.length > 0) {
    const { parts, example } = template;
    return {
      origin: example === undefined ? "template" : "example",
      parts: parts.map(({ name, description, hours, after, scope }) => ({
        name: name ?? description,
        hours: hours ?? null,
        after: findPartPlaces(parts, after ?? []),
        scope: scope ?? [],
      })),
    };
  }
  const { delegations } = parseDirectives(title, { parentId: "S-1" });
  if (delegations.length === 0) return { origin: "nobody", parts: [] };
  return {
    origin: "directives",
    parts: delegations.map(({ description, estimated_hours }) => ({
      name: description,
      hours: estimated_hours,
      after: [],
      scope: [],
    })),
  };
}

/** Advice must not prevent work: a store that cannot be read is explained when the story starts. */
async function readSplitHistory(context: AppContext): Promise<SplitHistory> {
  try {
    return await readStore(context, (reader) => readHistory(reader));
  } catch {
    return readHistory(undefined);
  }
}

async function findDefinition(root: string, agent: string): Promise<AgentDefinition | undefined> {
  try {
    return await readDefinition(root, agent);
  } catch {
    // An unusable definition is refused with its reason when the story starts.
    return undefined;
  }
}

/** A rough range by the price list, for projects without a history; null for a model it does not know. */
async function priceWorker(model: string): Promise<Spread | null> {
  const priceOf = await loadPrices();
  const price = (tokens: (typeof workerTokens)[keyof typeof workerTokens]): number | undefined =>
    priceOf({ model, tokens, isOneRequest: false });
  const [low, middle, high] = [price(workerTokens.low), price(workerTokens.middle), price(workerTokens.high)];
  if (low === undefined || middle === undefined || high === undefined) return null;
  return { low: Math.round(low), middle: Math.round(middle), high: Math.round(high) };
}
