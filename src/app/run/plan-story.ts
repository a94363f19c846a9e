import { readDefinition, type AgentDefinition } from "../../agents/definitions.ts";
import { loadConfig } from "../../config/load-config.ts";
import { listFlagSettings } from "../../config/story-flags.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import { storyDelegationConfigSchema, storyFlagsSchema } from "../../contract/config.ts";
import { parseDirectives } from "../../contract/directive.ts";
import type { Limits } from "../../contract/limits.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { Template } from "../../contract/template.ts";
import {
  predictSplit,
  readHistory,
  type PlannedPart,
  type PlanOrigin,
  type SplitHistory,
  type SplitPrediction,
} from "../../orchestrator/predict-split.ts";
import { findPartPlaces } from "../../templates/apply-template.ts";
import { readTemplate } from "../../templates/read-templates.ts";
import type { AppContext } from "../project/app-context.ts";
import { findProject, readStore } from "../project/open-project.ts";
import { applyTemplate, type NamedTemplate } from "./apply-template.ts";
import { priceWorker } from "./price-worker.ts";

export interface PlannedStory {
  /** The request for the runtime, with the template applied. */
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
  readonly template: string | undefined;
  /** The price list is half a megabyte of code, so it is only read when a person waits for the prediction. */
  readonly withPrices: boolean;
}

/** Applies the template to a story and predicts what dividing it would mean. Starts and changes nothing. */
export async function planStory(
  context: AppContext,
  request: StoryRequest,
  { template: templateName, withPrices }: PlanOptions,
): Promise<PlannedStory> {
  const { root } = findProject(context);
  const values = await readValues(context, root, request);
  const template = templateName === undefined ? undefined : await findTemplate(root, templateName);
  const defaultAgent = values.agents.default;
  const planned =
    template === undefined ? request : applyTemplate(context, { request, template, defaultAgent });
  const plan = findParts(template?.template, request.title);
  const agent = request.agent ?? (request.adapter === undefined ? defaultAgent : null);
  const limits = limitsFromConfig(values, "story");
  const history = await readSplitHistory(context);
  const definition = agent === null ? undefined : await findDefinition(root, agent);
  if (withPrices && agent !== null && definition === undefined)
    context.warn(`no usable agent is called ${agent}: ambit agents list`);
  const model = request.model ?? definition?.model;
  const isPriced = withPrices && history.workerMicroUsd === null && model !== undefined;
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

/** Limits that are out of range are refused when the story starts; here they only mean the project's own. */
async function readValues(context: AppContext, projectRoot: string, request: StoryRequest) {
  const wish = storyDelegationConfigSchema.optional().safeParse(request.delegationConfig);
  const { environment, homeDirectory, configFile } = context;
  const story = { id: request.id, delegationConfig: wish.success ? wish.data : undefined };
  const given = storyFlagsSchema.optional().safeParse(request.flags);
  const flags = listFlagSettings(given.success ? given.data : undefined);
  return (await loadConfig({ projectRoot, environment, homeDirectory, configFile, story, flags })).values;
}

async function findTemplate(root: string, wanted: string): Promise<NamedTemplate | undefined> {
  const { name, template } = await readTemplate(root, wanted);
  return template === undefined ? undefined : { name, template };
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
