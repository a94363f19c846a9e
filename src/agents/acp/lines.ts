import * as z from "zod";
import { dropUndefined } from "../../base/json.ts";
import { isErrorCode } from "../../contract/error-code.ts";
import type { AgentEvent } from "../adapter-types/agent-adapter.ts";

const text = z.string();
const count = z.int().min(0);

/**
 * The client's output, one object per line; the first field, `acp`, is its kind. We define both sides, so every agent
 * looks the same in the log.
 */
const lineSchema = z.discriminatedUnion("acp", [
  z.looseObject({ acp: z.literal("agent"), name: text, version: text }),
  z.looseObject({ acp: z.literal("session"), id: text, resumed: z.boolean() }),
  z.looseObject({ acp: z.literal("text"), text }),
  z.looseObject({ acp: z.literal("tool"), id: text, name: text, input: text.optional() }),
  z.looseObject({ acp: z.literal("tool-end"), id: text, ok: z.boolean() }),
  z.looseObject({ acp: z.literal("denied"), tool: text, why: text }),
  z.looseObject({
    acp: z.literal("usage"),
    scope: z.enum(["step", "run", "session"]),
    id: text.optional(),
    model: text.min(1).max(200).optional(),
    input_tokens: count,
    cached_tokens: count,
    output_tokens: count,
    usd: z.number().min(0).nullable(),
  }),
  z.looseObject({
    acp: z.literal("provider-failed"),
    status: count.nullable(),
    message: text,
    rate_limit: z.boolean(),
    retry_after_ms: count.optional(),
  }),
  /** `reason` is the agent's stop reason, or one of our codes if it gave none. */
  z.looseObject({ acp: z.literal("final"), ok: z.boolean(), reason: text, message: text, text }),
  z.looseObject({ acp: z.literal("note"), text }),
  /** The agent sent something that is not worth a line: it is working, not stuck. */
  z.looseObject({ acp: z.literal("alive") }),
]);

export type AcpLine = z.infer<typeof lineSchema>;

/**
 * The reader cuts a line at one mebibyte, and a character may need six bytes as JSON, so longer texts are printed
 * in pieces.
 */
export const MAX_TEXT_LENGTH = 150_000;

const PREFIX = '{"acp":';

export function renderAcpLine(line: AcpLine): string {
  const { acp, ...rest } = line;
  return JSON.stringify({ acp, ...rest });
}

/** Never throws; an unknown line becomes a raw event. */
export function parseAcpLine(line: string): readonly AgentEvent[] {
  const parsed = line.startsWith(PREFIX) ? readAcpLine(line) : undefined;
  if (parsed !== undefined) return convertLine(parsed);
  return line.trim() === "" ? [] : [{ kind: "raw", line }];
}

function readAcpLine(line: string): AcpLine | undefined {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Cut in the middle: the client was killed while writing.
    return undefined;
  }
}

function convertLine(line: AcpLine): readonly AgentEvent[] {
  switch (line.acp) {
    case "agent":
    case "note":
    case "alive":
      return [];
    case "session":
      return [{ kind: "session-known", id: line.id }];
    case "text":
      return [{ kind: "text", text: line.text }];
    case "tool":
      return [{ kind: "tool-called", name: line.name, id: line.id, ...dropUndefined({ input: line.input }) }];
    case "tool-end":
      return [{ kind: "tool-ended", id: line.id, ok: line.ok }];
    case "denied":
      return [{ kind: "denied", tool: line.tool }];
    case "usage":
      return [convertUsage(line)];
    case "provider-failed":
      return [failureEvent(line)];
    case "final":
      return [convertFinal(line)];
  }
}

function convertUsage(line: Extract<AcpLine, { acp: "usage" }>): AgentEvent {
  return {
    kind: "usage",
    scope: line.scope,
    ...(line.id === undefined ? {} : { id: line.id }),
    usage: {
      ...(line.model === undefined ? {} : { model: line.model }),
      inputTokens: line.input_tokens,
      cachedTokens: line.cached_tokens,
      outputTokens: line.output_tokens,
      microUsd: line.usd === null ? null : Math.round(line.usd * 1_000_000),
    },
  };
}

function failureEvent(line: Extract<AcpLine, { acp: "provider-failed" }>): AgentEvent {
  return {
    kind: "provider-failed",
    failure: {
      status: line.status,
      message: line.message,
      isRateLimit: line.rate_limit,
      ...(line.retry_after_ms === undefined ? {} : { retryAfterMs: line.retry_after_ms }),
    },
  };
}

/** An event has no field for a code, so the code precedes the message. */
function convertFinal({ ok, reason, message, text: said }: Extract<AcpLine, { acp: "final" }>): AgentEvent {
  return {
    kind: "final",
    ok,
    text: said,
    reason: isErrorCode(reason) ? `${reason}: ${message}` : reason,
  };
}
