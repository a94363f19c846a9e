import { describeExit } from "./exit-words.ts";
import type { ErrorCode } from "../../contract/error-code.ts";
import type { AgentEvent, ProcessEnd, ProviderFailure, RunEnd } from "../adapter-types/agent-adapter.ts";
import { chooseFailureCode, isContextFull } from "./read-failure.ts";

type Final = Extract<AgentEvent, { kind: "final" }>;

export interface EndingRules {
  /** The agent's own words for how it ended, and the code of each. */
  readonly codes: ReadonlyMap<string, ErrorCode>;
  /** Exit codes with a meaning, used if no event tells the end. */
  readonly exits: ReadonlyMap<number, { readonly code: ErrorCode; readonly reason: string }>;
  /** Joins consecutive texts; undefined if each text is a whole message. */
  readonly joiner: string | undefined;
}

const MAX_REASON_LENGTH = 500;

/**
 * The verdict on an agent that streams events. An exit code alone never makes a run good, and a later event never
 * undoes a failure: several CLIs report success after they have stopped themselves.
 */
export function settleStream(rules: EndingRules, exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const finals = events.filter((event) => event.kind === "final");
  const failed = finals.find((final) => !final.ok);
  if (failed !== undefined) return settleFailedRun(rules, failed, events);
  const final = finals.at(-1);
  if (final === undefined) return settleCutRun(rules, exit, events);
  const finalText = final.text === "" ? joinLastTexts(events, rules.joiner) : final.text;
  const denied = listDeniedTools(events);
  if (denied.length > 0) return { ok: false, finalText, ...describeDenials(denied) };
  if (exit.code === 0) return { ok: true, finalText, reason: final.reason };
  return {
    ok: false,
    finalText,
    code: "AGENT_STREAM_BROKEN",
    reason: `It said that it was done and then ${describeExit(exit)}.`,
  };
}

function settleFailedRun(rules: EndingRules, { reason, text }: Final, events: readonly AgentEvent[]): RunEnd {
  const failure = findLastFailure(events);
  const told = text === "" ? (failure?.message ?? "") : text;
  const code =
    rules.codes.get(reason) ?? (failure === undefined ? "UNKNOWN_ERROR" : chooseFailureCode(failure));
  return {
    ok: false,
    finalText: joinLastTexts(events, rules.joiner),
    code,
    reason: told === "" ? reason : `${reason}: ${told.slice(0, MAX_REASON_LENGTH)}`,
    ...(isContextFull(`${reason} ${told}`) ? { exhausted: true } : {}),
  };
}

/** For a run without an event that tells its end. */
function settleCutRun(rules: EndingRules, exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const finalText = joinLastTexts(events, rules.joiner);
  const known = exit.code === null ? undefined : rules.exits.get(exit.code);
  if (known !== undefined) return { ok: false, finalText, ...known };
  const denied = listDeniedTools(events);
  if (denied.length > 0) return { ok: false, finalText, ...describeDenials(denied) };
  const failure = findLastFailure(events);
  if (failure !== undefined && exit.code !== 0) return { ok: false, finalText, ...describeRefusal(failure) };
  return { ok: false, finalText, code: "AGENT_STREAM_BROKEN", reason: describeCut(exit, events) };
}

function describeDenials(tools: readonly string[]): Pick<RunEnd, "code" | "reason"> {
  const names = [...new Set(tools)].join(", ").slice(0, MAX_REASON_LENGTH);
  return { code: "AGENT_NEEDS_PERMISSION", reason: `It was denied what it asked for: ${names}.` };
}

function describeRefusal(failure: ProviderFailure): Pick<RunEnd, "code" | "reason" | "exhausted"> {
  return {
    code: chooseFailureCode(failure),
    reason: `The provider refused: ${failure.message.slice(0, MAX_REASON_LENGTH)}`,
    ...(isContextFull(failure.message) ? { exhausted: true } : {}),
  };
}

function describeCut(exit: ProcessEnd, events: readonly AgentEvent[]): string {
  const raw = events.filter((event) => event.kind === "raw");
  const said = (exit.lastError ?? "").slice(0, MAX_REASON_LENGTH);
  if (events.length === 0)
    return `It ${describeExit(exit)} ${said === "" ? "without a word." : `and said: ${said}`}`;
  if (raw.length < events.length)
    return `It ${describeExit(exit)} before its last event.${said === "" ? "" : ` It said: ${said}`}`;
  const first = raw[0]?.line.slice(0, MAX_REASON_LENGTH) ?? "";
  return `It ${describeExit(exit)} and printed only text that is not one of its events: ${first}`;
}

function listDeniedTools(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === "denied" ? [event.tool] : []));
}

function findLastFailure(events: readonly AgentEvent[]): ProviderFailure | undefined {
  return events.findLast((event) => event.kind === "provider-failed")?.failure;
}

/** The texts after the last tool call: earlier ones are not part of the final message. */
function joinLastTexts(events: readonly AgentEvent[], joiner: string | undefined): string {
  const texts: string[] = [];
  for (const event of events.toReversed()) {
    if (event.kind === "text") texts.push(event.text);
    const isBreak = event.kind === "tool-called" || event.kind === "tool-ended";
    if (texts.length > 0 && (isBreak || joiner === undefined)) break;
  }
  return texts.toReversed().join(joiner ?? "");
}
