import { DelegationError } from "../base/delegation-error.ts";
import { describeError } from "./describe-error.ts";
import type { RuntimeLink } from "./runtime-link.ts";
import { tolerate } from "./tolerant-input.ts";
import { tools, type ToolFacts } from "./tool-list.ts";

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  /** Told every few seconds while a call waits; absent when the client did not ask for it. */
  readonly progress?: (seconds: number) => void;
}

/** What a tool answers: one object, or why not. */
export type ToolAnswer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly value: Readonly<Record<string, unknown>> };

/** One tool call is one call of the runtime. Whatever goes wrong is an answer, never an exception. */
export async function callTool(link: RuntimeLink, call: ToolCall): Promise<ToolAnswer> {
  try {
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) throw unknownTool(call.name);
    const fields = fieldsFor(link, tool, call);
    const value = await whileTelling(call.progress, () => link.call(tool.name, fields));
    return judge(isRecord(value) ? value : { value });
  } catch (error) {
    return { ok: false, value: { error: describeError(error) } };
  }
}

const waitingTools: ReadonlySet<string> = new Set(["delegate", "wait", "send_agent_message"]);

/** Below the limits agents' clients have for one call; where progress does not reach them, below the lowest. */
const LONGEST_WAIT = { worker: 540, outside: 240, outsideSilent: 45 } as const;

function fieldsFor(link: RuntimeLink, tool: ToolFacts, call: ToolCall): Readonly<Record<string, unknown>> {
  const { wait_seconds: asked, ticket, ...rest } = tolerate(tool.input, call.input);
  const named = ticket === undefined ? rest : { ...rest, ids: idsOf(ticket, rest["ids"]) };
  const hasPerson = link.mode === "outside";
  if (tool.name === "status") return { ...named, hasPerson };
  if (!waitingTools.has(tool.name)) return named;
  const waitSeconds = capped(asked, longestWait(link, call));
  if (tool.name === "send_agent_message") return { ...named, waitSeconds };
  return { ...named, waitSeconds, answersQuestions: true, hasPerson };
}

function longestWait({ mode }: RuntimeLink, { progress }: ToolCall): number {
  if (mode === "worker") return LONGEST_WAIT.worker;
  return progress === undefined ? LONGEST_WAIT.outsideSilent : LONGEST_WAIT.outside;
}

function capped(asked: unknown, most: number): unknown {
  if (asked === undefined) return most;
  return typeof asked === "number" ? Math.min(asked, most) : asked;
}

/** A ticket is the list of what it stands for, so that it needs no memory and survives every restart. */
function idsOf(ticket: unknown, ids: unknown): readonly unknown[] {
  const named = typeof ticket === "string" ? ticket.split(",").map((id) => id.trim()) : [ticket];
  const others: readonly unknown[] = Array.isArray(ids) ? ids : [];
  return [...new Set([...named.filter((id) => id !== ""), ...others])];
}

/** Some clients give a silent call up after five seconds. */
const TELL_MS = 4000;

async function whileTelling<Result>(
  tell: ((seconds: number) => void) | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  if (tell === undefined) return action();
  const start = performance.now();
  const timer = setInterval(() => tell(Math.round((performance.now() - start) / 1000)), TELL_MS);
  try {
    return await action();
  } finally {
    clearInterval(timer);
  }
}

/** A call that did nothing of what was asked is marked, so that a model does not take it for done. */
function judge(value: Readonly<Record<string, unknown>>): ToolAnswer {
  const asked = [value["tasks"], value["delegations"]].find(isList) ?? [];
  const isRefused = asked.length > 0 && asked.every((one) => isRecord(one) && one["admitted"] === false);
  return { ok: value["accepted"] !== false && !isRefused, value };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function unknownTool(name: string): DelegationError {
  return new DelegationError({
    code: "USAGE",
    message: `There is no tool "${name}".`,
    recommendation: `There are: ${tools.map((tool) => tool.name).join(", ")}.`,
    recoverable: true,
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
