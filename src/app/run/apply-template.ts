import { dirname } from "node:path";
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
}

const MAX_CONTEXT = 20_000;
/** One argument of a program may have 128 KiB. */
const MAX_HAND_OUT = 100_000;

/** The request with the template in it: as advice to the manager, or with the parts handed out by a small program. */
export function applyTemplate(context: AppContext, story: TemplatedStory): StoryRequest {
  const { request, template } = story;
  if (isHandedOut(template.template)) return handOutTemplate(context, story);
  const advice = buildManagerText(template.name, template.template, request.title);
  const background = [request.context ?? "", advice].filter((text) => text !== "").join("\n\n");
  if (background.length > MAX_CONTEXT) throw workErrors.contextTooLong(background.length, MAX_CONTEXT);
  return { ...request, context: background, template: template.name };
}

/** The story's manager is then a small program of Ambit that hands out the parts and reports how they ended. */
function handOutTemplate(
  { program }: AppContext,
  { request, template: { name, template }, defaultAgent }: TemplatedStory,
): StoryRequest {
  const agent = request.agent ?? defaultAgent ?? undefined;
  if (request.adapter !== undefined) throw workErrors.templateHandsOut(name);
  const tasks = buildPartRequests(template, { story: request.title, agent });
  if (tasks.some((task) => task.agent === undefined)) throw workErrors.noAgentForParts(name);
  const plan = JSON.stringify({ tasks });
  if (plan.length > MAX_HAND_OUT) throw workErrors.partsTooLong(name);
  const { agent: _agent, model: _model, ...rest } = request;
  const [runner = process.execPath, script = ""] = program;
  return {
    ...rest,
    adapter: "command",
    command: [...program, "__handout", plan],
    readable: [runner, dirname(script)],
    template: name,
  };
}
