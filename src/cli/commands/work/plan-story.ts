import { dirname } from "node:path";
import { readDefinition, type AgentDefinition } from "../../../agents/definitions.ts";
import { loadConfig } from "../../../config/load-config.ts";
import { limitsFromConfig } from "../../../contract/config-limits.ts";
import { storyDelegationConfigSchema, type ConfigValues } from "../../../contract/config.ts";
import { parseDirectives } from "../../../contract/directive.ts";
import type { Limits } from "../../../contract/limits.ts";
import {
  predictSplit,
  readHistory,
  type PlannedPart,
  type PlanOrigin,
  type SplitHistory,
  type SplitPrediction,
  type Spread,
} from "../../../orchestrator/predict-split.ts";
import { handOutRequests, isHandedOut, managerText, placesOf } from "../../../templates/apply-template.ts";
import { readTemplate } from "../../../templates/read-templates.ts";
import type { Template } from "../../../contract/template.ts";
import type { CommandContext } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { configInput } from "../config/config-input.ts";
import { findProject, readStore } from "../../../app/open-project.ts";
import { priceOfWorker } from "./price-of-worker.ts";
import type { StoryRequestFields } from "./read-story-request.ts";

export interface PlannedStory {
  /** What the runtime is asked for, the template worked in. */
  readonly request: StoryRequestFields;
  readonly template: { readonly name: string; readonly template: Template } | undefined;
  /** Who works on it, where that is known without asking the runtime. */
  readonly agent: string | null;
  readonly limits: Limits;
  readonly origin: PlanOrigin;
  readonly parts: readonly PlannedPart[];
  readonly prediction: SplitPrediction;
}

export interface PlanWish {
  readonly template: string | undefined;
  /** The price list is half a megabyte of code: read when somebody waits for the prediction only. */
  readonly withPrices: boolean;
}

/** Works the template into a story and predicts what dividing it would mean. Starts nothing, changes nothing. */
export async function planStory(
  context: CommandContext,
  request: StoryRequestFields,
  wish: PlanWish,
): Promise<PlannedStory> {
  const { root } = findProject(context);
  const limitsWish = storyDelegationConfigSchema.optional().safeParse(request["delegationConfig"]);
  const story = { id: request.id, delegationConfig: limitsWish.success ? limitsWish.data : undefined };
  const { values } = await loadConfig({ ...configInput(context), story });
  const template = wish.template === undefined ? undefined : await readTemplate(root, wish.template);
  const named =
    template?.template === undefined ? undefined : { name: template.name, template: template.template };
  const planned = named === undefined ? request : workIn(request, named, values);
  const { origin, parts } = planOf(named?.template, titleOf(request));
  const agent = textOf(request["agent"]) ?? (request["adapter"] === undefined ? values.agents.default : null);
  const limits = limitsFromConfig(values, "story");
  const history = await historyOf(context);
  const definition = await definitionOf(root, agent);
  if (wish.withPrices && agent !== null && definition === undefined)
    context.warn(`no usable agent is called ${agent}: ambit agents list`);
  const model = textOf(request["model"]) ?? definition?.model;
  const isPriced = wish.withPrices && history.workerMicroUsd === null && model !== undefined;
  const listMicroUsd: Spread | null = isPriced ? await priceOfWorker(model) : null;
  const budget = request["budgetMicroUsd"];
  const prediction = predictSplit({
    origin,
    parts,
    storyScope: Array.isArray(request["fileScope"]) ? request["fileScope"].map(String) : [],
    limits,
    budgetMicroUsd: typeof budget === "number" ? budget : null,
    history,
    listMicroUsd,
  });
  return { request: planned, template: named, agent, limits, origin, parts, prediction };
}

const LONGEST_CONTEXT = 20_000;
/** One argument of a program may have 128 KiB. */
const LONGEST_HAND_OUT = 100_000;

function workIn(
  request: StoryRequestFields,
  { name, template }: { readonly name: string; readonly template: Template },
  values: ConfigValues,
): StoryRequestFields {
  if (isHandedOut(template)) return handOut(request, { name, template, values });
  const told = [textOf(request["context"]) ?? "", managerText(name, template, titleOf(request))];
  const context = told.filter((text) => text !== "").join("\n\n");
  if (context.length > LONGEST_CONTEXT)
    throw usage(
      `context and template together have ${context.length} characters; ${LONGEST_CONTEXT} are allowed`,
      "Shorten --context or the template's guidance.",
    );
  return { ...request, context, template: name };
}

/** The story's manager is then a small program of ours that hands out the parts and tells how they ended. */
function handOut(
  request: StoryRequestFields,
  {
    name,
    template,
    values,
  }: { readonly name: string; readonly template: Template; readonly values: ConfigValues },
): StoryRequestFields {
  const agent = textOf(request["agent"]) ?? values.agents.default ?? undefined;
  if (request["adapter"] !== undefined)
    throw usage(
      `the template ${name} hands its parts out itself`,
      "Say who does them with --agent <name>, or in the template; a program after -- cannot be handed out.",
    );
  const tasks = handOutRequests(template, { story: titleOf(request), agent });
  if (tasks.some((task) => task.agent === undefined))
    throw usage(
      `nobody is named to do the parts of the template ${name}`,
      "Add --agent <name>, set agents.default in ambit.yaml, or name an agent in each part.",
    );
  const plan = JSON.stringify({ tasks });
  if (plan.length > LONGEST_HAND_OUT)
    throw usage(`the parts of ${name} are too long`, "Shorten their contexts and criteria.");
  const { agent: _agent, model: _model, ...rest } = request;
  const program = process.argv[1] ?? "";
  return {
    ...rest,
    id: request.id,
    adapter: "command",
    command: [process.execPath, program, "__handout", plan],
    readable: [process.execPath, dirname(program)],
    template: name,
  };
}

/** Who planned the parts: the template, its example, directives in the person's own text, or nobody yet. */
function planOf(
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
        after: placesOf(parts, after ?? []),
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

/** Advice must not stand in the way: what cannot be read is explained when the story starts. */
async function historyOf(context: CommandContext): Promise<SplitHistory> {
  try {
    return await readStore(context, (reader) => readHistory(reader));
  } catch {
    return readHistory(undefined);
  }
}

async function definitionOf(root: string, agent: string | null): Promise<AgentDefinition | undefined> {
  try {
    return agent === null ? undefined : await readDefinition(root, agent);
  } catch {
    // A definition that cannot be used is refused with its reason when the story starts.
    return undefined;
  }
}

function titleOf(request: StoryRequestFields): string {
  return textOf(request["title"]) ?? "";
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
