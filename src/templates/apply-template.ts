import { dropUndefined } from "../base/json.ts";
import type { DelegationRequest } from "../contract/delegation-request.ts";
import { isDirective } from "../contract/directive.ts";
import type { Template, TemplatePart } from "../contract/template.ts";

const PLACEHOLDER = "{story}";

/** Whether the runtime itself delegates the parts: the template names parts, and they are not only an example. */
export function isHandedOut({ parts, example, handout }: Template): boolean {
  return parts.length > 0 && example === undefined && handout !== "manager";
}

/** Advice to the manager of a story on how to divide it. Limits and proof do not change. */
export function buildManagerText(name: string, template: Template, story: string): string {
  const { example, parts, guidance } = template;
  const directives = parts.map((part) => describePart(part, story)).join("\n");
  const shown =
    example === undefined
      ? `Delegate these parts, unless one of them turns out not to be needed:\n${directives}`
      : `For the story "${example}" the parts would be:\n${directives}\nChoose the parts this story needs.`;
  return [
    `Divide this story by the template "${name}": ${template.title.toLowerCase()}.`,
    fillStory(guidance, story),
    ...(parts.length === 0 ? [] : [shown]),
    `If there are fewer than two such parts, or they would change the same files, do the work yourself${
      template.avoid === undefined ? "" : `. Not for: ${template.avoid.toLowerCase()}`
    }.`,
  ].join("\n\n");
}

function describePart(part: TemplatePart, story: string): string {
  const facts = [
    ...(part.name === undefined ? [] : [part.name]),
    ...(part.after === undefined ? [] : [`after ${part.after.join(", ")}`]),
    ...(part.agent === undefined ? [] : [`by ${part.agent}`]),
    ...(part.scope === undefined ? [] : [`changes ${part.scope.join(" ")}`]),
    ...(part.accept ?? []).map((criterion) => `accepted when: ${fillStory(criterion, story)}`),
  ];
  return `${partDirective(part, story)}${facts.length === 0 ? "" : `  (${facts.join("; ")})`}`;
}

const DEFAULT_HOURS = 4;

/** A part as the directive a manager would write (R1). */
export function partDirective(part: TemplatePart, story: string): string {
  const description = fillStory(part.description, story);
  const directive = `[delegate:${description}:${part.hours ?? DEFAULT_HOURS}]`;
  return isDirective(directive) ? directive : description;
}

/** The parts as requests, each with an agent; a part that waits for another names it by its place in the list. */
export function buildPartRequests(
  { parts }: Template,
  { story, agent }: { readonly story: string; readonly agent: string | undefined },
): readonly DelegationRequest[] {
  return parts.map((part) => {
    const after = findPartPlaces(parts, part.after ?? []).map((place) => `#${place + 1}`);
    return {
      description: fillStory(part.description, story),
      ...dropUndefined({
        estimated_hours: part.hours,
        agent: part.agent ?? agent,
        accept: part.accept?.map((text) => fillStory(text, story)),
        file_scope: part.scope,
        context: part.context === undefined ? undefined : fillStory(part.context, story),
      }),
      ...(after.length === 0 ? {} : { depends_on: after }),
    };
  });
}

/** Places of the named parts, counted from 0. */
export function findPartPlaces(parts: readonly TemplatePart[], names: readonly string[]): readonly number[] {
  return names.map((name) => parts.findIndex((part) => part.name === name)).filter((place) => place >= 0);
}

function fillStory(text: string, story: string): string {
  return text.replaceAll(PLACEHOLDER, () => story);
}
