import { dirname } from "node:path";
import type { DelegationRequest } from "../../contract/delegation-request.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { Template } from "../../contract/template.ts";
import { workErrors } from "../../errors/work.ts";
import { buildPartRequests, isHandedOut, buildManagerText } from "../../templates/apply-template.ts";
import type { AppContext } from "../project/app-context.ts";

export interface NamedTemplate {
  readonly name: string;
  readonly template: Template;
}

export interface TemplatedStory {
  readonly request: StoryRequest;
  readonly template: NamedTemplate;
  readonly defaultAgent: string | null;
  /** Where a worker proposes the parts. */
  readonly maxParts: number;
}

const MAX_CONTEXT = 20_000;
/** One argument of a program may have 128 KiB. */
const MAX_HAND_OUT = 100_000;

/** The request with the template in it: as advice to the manager, or with the parts handed out by a small program. */
export function applyTemplate(context: AppContext, story: TemplatedStory): StoryRequest {
  const { request, template } = story;
  if (template.template.handout === "proposal") return splitStory(context, story);
  if (isHandedOut(template.template)) return handOutTemplate(context, story);
  const advice = buildManagerText(template.name, template.template, request.title);
  const background = [request.context ?? "", advice].filter((text) => text !== "").join("\n\n");
  if (background.length > MAX_CONTEXT) throw workErrors.contextTooLong(background.length, MAX_CONTEXT);
  return { ...request, context: background, template: template.name };
}

function handOutTemplate(
  context: AppContext,
  { request, template: { name, template }, defaultAgent }: TemplatedStory,
): StoryRequest {
  const agent = request.agent ?? defaultAgent ?? undefined;
  const tasks = buildPartRequests(template, { story: request.title, agent });
  const source = `the template ${name}`;
  return { ...handOutParts(context, { request, tasks, source }), template: name };
}

interface PartsOfStory {
  readonly request: StoryRequest;
  readonly tasks: readonly DelegationRequest[];
  /** Where the parts come from, for messages. */
  readonly source: string;
}

/** The parts are handed out as they are. */
export function handOutParts(context: AppContext, { request, tasks, source }: PartsOfStory): StoryRequest {
  if (request.adapter !== undefined) throw workErrors.partsAreHandedOut(source);
  if (tasks.some((task) => task.agent === undefined)) throw workErrors.noAgentForParts(source);
  const plan = JSON.stringify({ tasks });
  return leadByProgram(context, request, plan);
}

/** One worker proposes the parts, and a small program hands them out (R191). */
function splitStory(
  context: AppContext,
  { request, template: { name, template }, defaultAgent, maxParts }: TemplatedStory,
): StoryRequest {
  const agent = request.agent ?? defaultAgent;
  const source = `the template ${name}`;
  if (request.adapter !== undefined) throw workErrors.partsAreHandedOut(source);
  if (agent === null) throw workErrors.noAgentForParts(source);
  const { title: story, context: background } = request;
  const split = { story, agent, guidance: template.guidance, context: background ?? "", maxParts };
  return { ...leadByProgram(context, request, JSON.stringify({ split })), template: name };
}

/** The story's manager is then a small program of Ambit that hands out the parts and reports how they ended. */
function leadByProgram({ program }: AppContext, request: StoryRequest, plan: string): StoryRequest {
  if (plan.length > MAX_HAND_OUT) throw workErrors.partsTooLong(request.title.slice(0, 80));
  const { agent: _agent, model: _model, ...rest } = request;
  const [runner = process.execPath, script = ""] = program;
  return {
    ...rest,
    adapter: "command",
    command: [...program, "__handout", plan],
    readable: [runner, dirname(script)],
  };
}
