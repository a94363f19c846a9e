import type { McpDirective } from "../../../contract/directive.ts";
import type { SpokenDirectives } from "../../../contract/directive-spoken.ts";

/** As many as one request may hold. */
const MOST_TASKS = 100;
const MOST_TROUBLES = 20;

export interface WantedTask {
  readonly description: string;
  readonly estimated_hours: number;
  readonly context: string;
}

/** The directives of a message as a request. Tools that are named beside them are told to every worker (R7). */
export function wantedTasks({ delegations, tools }: SpokenDirectives): {
  readonly tasks: readonly WantedTask[];
  readonly leftOut: readonly string[];
} {
  const context = tools.length === 0 ? "" : describeTools(tools);
  const tasks = delegations
    .slice(0, MOST_TASKS)
    .map(({ description, estimated_hours }) => ({ description, estimated_hours, context }));
  const left = delegations.length - tasks.length;
  if (left === 0) return { tasks, leftOut: [] };
  const leftOut = `${left} more directives were not read: one message may hold ${MOST_TASKS}.`;
  return { tasks, leftOut: [leftOut] };
}

function describeTools(tools: readonly McpDirective[]): string {
  const lines = tools
    .slice(0, MOST_TROUBLES)
    .map(({ server, tool, argument }) => `- ${server}/${tool}${argument === "" ? "" : ` with ${argument}`}`);
  return ["Use these MCP tools where you have them:", ...lines].join("\n");
}

/** What was meant as a request and is none. */
export function describeTrouble({ errors, delegations, tools }: SpokenDirectives): readonly string[] {
  const malformed = errors.slice(0, MOST_TROUBLES).map(({ code, fragment }) => `${code}: ${fragment}`);
  const more = errors.length - malformed.length;
  return [
    ...malformed,
    ...(more === 0 ? [] : [`${more} more directives are malformed.`]),
    ...(tools.length === 0 || delegations.length > 0 ? [] : [loneTools(tools)]),
  ];
}

function loneTools(tools: readonly McpDirective[]): string {
  const names = tools.slice(0, MOST_TROUBLES).map(({ server, tool }) => `${server}/${tool}`);
  return `[use-mcp:…] names a tool for a worker and stands beside a [delegate:…]; nobody calls ${names.join(", ")} for you. Call it yourself.`;
}

export function describeEcho(written: string): string {
  return `Not taken as a request, because it repeats what you were told: ${written}. If you mean it, say it in words of your own.`;
}

export function describeQuoted({ quoted }: SpokenDirectives): readonly string[] {
  if (quoted === 0) return [];
  return [
    `${quoted} quoted directive(s) were taken as text, not as requests; a request stands outside of quotes and code.`,
  ];
}

/** What the journal and a prompt can hold. */
const MOST_TOLD = 15_000;

/** As many as fit, and how many more there were. */
export function fitTold(texts: readonly string[]): readonly string[] {
  let room = MOST_TOLD;
  const fitting = texts.filter((text) => {
    room -= text.length + 1;
    return room >= 0;
  });
  const left = texts.length - fitting.length;
  return left === 0 ? fitting : [...fitting, `${left} more were refused or not understood.`];
}
