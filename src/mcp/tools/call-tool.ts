import { isRecord } from "../../base/json.ts";
import { mcpErrors } from "../../errors/mcp.ts";
import { describeError } from "./describe-error.ts";
import type { RuntimeLink } from "../../app/runtime-link.ts";
import { tolerate } from "./tolerant-input.ts";
import { findTool, lookSubjects, tools, type ToolFacts } from "./tool-list.ts";

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  /** Called every few seconds while a call waits; absent if the client did not ask for it. */
  readonly progress?: (seconds: number) => void;
}

/** A tool's answer: one object, or the reason why not. */
export type ToolAnswer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly value: Readonly<Record<string, unknown>> };

/** One tool call is one call of the runtime. An error is an answer, never an exception. */
export async function callTool(link: RuntimeLink, call: ToolCall): Promise<ToolAnswer> {
  try {
    const tool = findTool(call.name);
    if (tool === undefined)
      throw mcpErrors.unknownTool(
        call.name,
        tools.map(({ name }) => name),
      );
    const fields = readFields(link, tool, call);
    const { method, input } =
      tool.name === "look" ? readLook(link, fields) : { method: tool.name, input: fields };
    const value = await reportProgress(call.progress, () => link.call(method, input));
    return judgeAnswer(isRecord(value) ? value : { value });
  } catch (error) {
    return { ok: false, value: { error: describeError(error) } };
  }
}

interface RuntimeCall {
  readonly method: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** `look` stands for several reading calls; a patch is a diff with its lines. */
function readLook(
  { mode }: RuntimeLink,
  { what, ...fields }: Readonly<Record<string, unknown>>,
): RuntimeCall {
  const { id: _, ...withoutId } = fields;
  switch (what) {
    case "status":
      return { method: what, input: { ...withoutId, hasPerson: mode === "outside" } };
    case "tree":
      return { method: what, input: withoutId };
    case "agents":
      return { method: "list_agents", input: withoutId };
    case "patch":
      return { method: "diff", input: { ...fields, kind: "patch" } };
    case "result":
    case "diff":
    case "tasks":
      return { method: what, input: fields };
    default:
      throw mcpErrors.unknownSubject(lookSubjects);
  }
}

const waitingTools: ReadonlySet<string> = new Set(["delegate", "wait", "send_agent_message"]);

/** Below the limits of agents' clients for one call; without progress messages, below the lowest of them. */
const MAX_WAIT_SECONDS = { worker: 540, outside: 240, outsideSilent: 45 } as const;

function readFields(link: RuntimeLink, tool: ToolFacts, call: ToolCall): Readonly<Record<string, unknown>> {
  const { wait_seconds: asked, ticket, ...rest } = tolerate(tool.input, call.input);
  const named = ticket === undefined ? rest : { ...rest, ids: readIds(ticket, rest["ids"]) };
  const hasPerson = link.mode === "outside";
  if (tool.name === "status") return { ...named, hasPerson };
  if (!waitingTools.has(tool.name)) return named;
  const waitSeconds = capWait(asked, chooseMaxWait(link, call));
  if (tool.name === "send_agent_message") return { ...named, waitSeconds };
  return { ...named, waitSeconds, answersQuestions: true, hasPerson };
}

function chooseMaxWait({ mode }: RuntimeLink, { progress }: ToolCall): number {
  if (mode === "worker") return MAX_WAIT_SECONDS.worker;
  return progress === undefined ? MAX_WAIT_SECONDS.outsideSilent : MAX_WAIT_SECONDS.outside;
}

function capWait(asked: unknown, most: number): unknown {
  if (asked === undefined) return most;
  return typeof asked === "number" ? Math.min(asked, most) : asked;
}

/** A ticket is the list of ids it stands for, so it needs no memory and survives every restart. */
function readIds(ticket: unknown, ids: unknown): readonly unknown[] {
  const named = typeof ticket === "string" ? ticket.split(",").map((id) => id.trim()) : [ticket];
  const others: readonly unknown[] = Array.isArray(ids) ? ids : [];
  return [...new Set([...named.filter((id) => id !== ""), ...others])];
}

/** Some clients give up on a silent call after five seconds. */
const PROGRESS_MS = 4000;

async function reportProgress<Result>(
  report: ((seconds: number) => void) | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  if (report === undefined) return action();
  const start = performance.now();
  const timer = setInterval(() => report(Math.round((performance.now() - start) / 1000)), PROGRESS_MS);
  try {
    return await action();
  } finally {
    clearInterval(timer);
  }
}

/** A call that did nothing of what was asked is marked as an error, so that a model does not take it for done. */
function judgeAnswer(value: Readonly<Record<string, unknown>>): ToolAnswer {
  const asked = [value["tasks"], value["delegations"]].find(isList) ?? [];
  const isRefused = asked.length > 0 && asked.every((one) => isRecord(one) && one["admitted"] === false);
  return { ok: value["accepted"] !== false && !isRefused, value };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
