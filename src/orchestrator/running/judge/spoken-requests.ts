import { countThings } from "../../../base/count-things.ts";
import type { McpDirective } from "../../../contract/directive.ts";
import type { SpokenDirectives } from "../../../contract/directive-spoken.ts";

/** The maximum of one request. */
const MAX_TASKS = 100;
const MAX_TROUBLES = 20;

export interface WantedTask {
  readonly description: string;
  readonly estimated_hours: number;
  readonly context: string;
}

/** The directives of a message as a request. Tools named next to them are passed to every worker (R7). */
export function readWantedTasks({ delegations, tools }: SpokenDirectives): {
  readonly tasks: readonly WantedTask[];
  readonly leftOut: readonly string[];
} {
  const context = tools.length === 0 ? "" : describeTools(tools);
  const tasks = delegations
    .slice(0, MAX_TASKS)
    .map(({ description, estimated_hours }) => ({ description, estimated_hours, context }));
  const left = delegations.length - tasks.length;
  if (left === 0) return { tasks, leftOut: [] };
  const leftOut = `${left} more directives were not read: one message may hold ${MAX_TASKS}.`;
  return { tasks, leftOut: [leftOut] };
}

function describeTools(tools: readonly McpDirective[]): string {
  const lines = tools
    .slice(0, MAX_TROUBLES)
    .map(({ server, tool, argument }) => `- ${server}/${tool}${argument === "" ? "" : ` with ${argument}`}`);
  return ["Use these MCP tools where you have them:", ...lines].join("\n");
}

/** Describes texts that look like requests and are malformed. */
export function describeTrouble({ errors }: SpokenDirectives): readonly string[] {
  const malformed = errors.slice(0, MAX_TROUBLES).map(({ code, fragment }) => `${code}: ${fragment}`);
  const more = errors.length - malformed.length;
  return [...malformed, ...(more === 0 ? [] : [`${more} more directives are malformed.`])];
}

export function describeEcho(written: string): string {
  return `Not taken as a request, because it repeats text you were given: ${written}. If you mean it, say it in your own words.`;
}

export function describeQuoted({ quoted }: SpokenDirectives): readonly string[] {
  if (quoted === 0) return [];
  return [
    `Read as text, not as requests: ${countThings(quoted, "quoted directive")}. Write a request outside of quotes and code.`,
  ];
}

/** Directives that the agent named somewhere in its text. */
export function describeMentioned({ mentioned }: SpokenDirectives): readonly string[] {
  if (mentioned.length === 0) return [];
  const shown = mentioned.slice(0, MAX_SHOWN).join(", ");
  const more = mentioned.length > MAX_SHOWN ? ` and ${mentioned.length - MAX_SHOWN} more` : "";
  return [
    `Not taken as a request, because it is not alone on the last lines of the message: ${shown}${more}. If you mean it, end your turn with it on a line of its own.`,
  ];
}

const MAX_SHOWN = 5;

/** A return ends the work, so a directive next to it requests nothing. */
export function describeIgnored({ delegations, mentioned }: SpokenDirectives): readonly string[] {
  const count = delegations.length + mentioned.length;
  if (count === 0) return [];
  return [`Ignored: ${countThings(count, "directive")} next to a valid return. The return ended the work.`];
}

/** The journal and a prompt accept no more. */
const MAX_REPORT_LENGTH = 15_000;

/** Returns as many texts as fit, and the number of the others. */
export function fitReports(texts: readonly string[]): readonly string[] {
  let room = MAX_REPORT_LENGTH;
  const fitting = texts.filter((text) => {
    room -= text.length + 1;
    return room >= 0;
  });
  const left = texts.length - fitting.length;
  return left === 0 ? fitting : [...fitting, `${left} more were refused or not understood.`];
}
