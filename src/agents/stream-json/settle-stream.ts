import { exitWords } from "./exit-words.ts";
import type { ErrorCode } from "../../contract/error-code.ts";
import type { AgentEvent, ProcessEnd, ProviderFailure, RunEnd } from "../adapter-types/agent-adapter.ts";
import { codeOfFailure, isContextFull } from "./read-failure.ts";

type Final = Extract<AgentEvent, { kind: "final" }>;

export interface EndingRules {
  /** The agent's own words for how it ended, and what each stands for. */
  readonly codes: ReadonlyMap<string, ErrorCode>;
  /** Exit codes that mean something when no event says it. */
  readonly exits: ReadonlyMap<number, { readonly code: ErrorCode; readonly reason: string }>;
  /** Between two texts that follow each other; undefined where each is a whole message. */
  readonly joiner: string | undefined;
}

const LONGEST_REASON = 500;

/**
 * The verdict of an agent that streams events. An exit code alone never makes a run good, and one event that says it
 * went wrong is not undone by a later one: several CLIs report success after they have stopped themselves.
 */
export function settleStream(rules: EndingRules, exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const finals = events.filter((event) => event.kind === "final");
  const failed = finals.find((final) => !final.ok);
  if (failed !== undefined) return failedRun(rules, failed, events);
  const final = finals.at(-1);
  if (final === undefined) return cutRun(rules, exit, events);
  const finalText = final.text === "" ? lastWords(events, rules.joiner) : final.text;
  const denied = deniedTools(events);
  if (denied.length > 0) return { ok: false, finalText, ...needsPermission(denied) };
  if (exit.code === 0) return { ok: true, finalText, reason: final.reason };
  return {
    ok: false,
    finalText,
    code: "AGENT_STREAM_BROKEN",
    reason: `It said that it was done and then ${exitWords(exit)}.`,
  };
}

function failedRun(rules: EndingRules, { reason, text }: Final, events: readonly AgentEvent[]): RunEnd {
  const failure = lastFailure(events);
  const told = text === "" ? (failure?.message ?? "") : text;
  const code = rules.codes.get(reason) ?? (failure === undefined ? "UNKNOWN_ERROR" : codeOfFailure(failure));
  return {
    ok: false,
    finalText: lastWords(events, rules.joiner),
    code,
    reason: told === "" ? reason : `${reason}: ${told.slice(0, LONGEST_REASON)}`,
    ...(isContextFull(`${reason} ${told}`) ? { exhausted: true } : {}),
  };
}

/** No event says how it ended. */
function cutRun(rules: EndingRules, exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const finalText = lastWords(events, rules.joiner);
  const known = exit.code === null ? undefined : rules.exits.get(exit.code);
  if (known !== undefined) return { ok: false, finalText, ...known };
  const denied = deniedTools(events);
  if (denied.length > 0) return { ok: false, finalText, ...needsPermission(denied) };
  const failure = lastFailure(events);
  if (failure !== undefined && exit.code !== 0) return { ok: false, finalText, ...refusedBy(failure) };
  return { ok: false, finalText, code: "AGENT_STREAM_BROKEN", reason: cutReason(exit, events) };
}

function needsPermission(tools: readonly string[]): Pick<RunEnd, "code" | "reason"> {
  const names = [...new Set(tools)].join(", ").slice(0, LONGEST_REASON);
  return { code: "AGENT_NEEDS_PERMISSION", reason: `It was denied what it asked for: ${names}.` };
}

function refusedBy(failure: ProviderFailure): Pick<RunEnd, "code" | "reason" | "exhausted"> {
  return {
    code: codeOfFailure(failure),
    reason: `The provider refused: ${failure.message.slice(0, LONGEST_REASON)}`,
    ...(isContextFull(failure.message) ? { exhausted: true } : {}),
  };
}

function cutReason(exit: ProcessEnd, events: readonly AgentEvent[]): string {
  const raw = events.filter((event) => event.kind === "raw");
  const said = (exit.lastError ?? "").slice(0, LONGEST_REASON);
  if (events.length === 0)
    return `It ${exitWords(exit)} ${said === "" ? "without a word." : `and said: ${said}`}`;
  if (raw.length < events.length)
    return `It ${exitWords(exit)} before its last event.${said === "" ? "" : ` It said: ${said}`}`;
  const first = raw[0]?.line.slice(0, LONGEST_REASON) ?? "";
  return `It ${exitWords(exit)} and printed only text that is no event of its own: ${first}`;
}

function deniedTools(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === "denied" ? [event.tool] : []));
}

function lastFailure(events: readonly AgentEvent[]): ProviderFailure | undefined {
  return events.findLast((event) => event.kind === "provider-failed")?.failure;
}

/** The last text with nothing done in between; what was said before the last tool call is no final message. */
function lastWords(events: readonly AgentEvent[], joiner: string | undefined): string {
  const texts: string[] = [];
  for (const event of events.toReversed()) {
    if (event.kind === "text") texts.push(event.text);
    const isBreak = event.kind === "tool-called" || event.kind === "tool-ended";
    if (texts.length > 0 && (isBreak || joiner === undefined)) break;
  }
  return texts.toReversed().join(joiner ?? "");
}
