import type { TokenCounts } from "../script/model-script.ts";

export const apiNames = ["anthropic", "responses", "chat", "gemini"] as const;
export type ApiName = (typeof apiNames)[number];

/** A tool as the request offers it. Codex puts those of an MCP server into a namespace. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  /** `custom` takes plain text, `local_shell` is the provider's own form of a shell. */
  readonly kind: "function" | "custom" | "local_shell";
  /** JSON schema of its arguments; undefined if the request has none. */
  readonly parameters: unknown;
}

/** Earlier messages that a script depends on. */
export type TalkItem =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "result"; readonly text: string };

/** A request in one form for all four APIs. */
export interface ModelRequest {
  readonly api: ApiName;
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly OfferedTool[];
  readonly talk: readonly TalkItem[];
  /** The schema that the caller demands of the answer. */
  readonly answerSchema?: unknown;
  /** Chat only: the caller wants a last chunk with the usage. */
  readonly wantsUsage?: boolean;
  /** Gemini only: a stream as one JSON array instead of events. */
  readonly asArray?: boolean;
}

export interface ToolCall {
  readonly id: string;
  readonly tool: OfferedTool;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly id: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: TokenCounts;
}

export interface WireEvent {
  /** The `event:` line, if the API has one. */
  readonly name?: string;
  readonly data: string;
}

export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** How one provider's API reads and writes. Reading never fails: a missing field is empty. */
export interface WireApi {
  read(body: unknown, url: URL): ModelRequest;
  /** The whole answer as one document. */
  document(reply: Reply, request: ModelRequest): unknown;
  /** The same answer as the events of a stream, in the provider's order. */
  events(reply: Reply, request: ModelRequest): readonly WireEvent[];
  failure(failure: Failure): unknown;
}

const PIECE = 24;

/** Splits text as a stream does, never inside a character. */
export function splitIntoPieces(text: string): readonly string[] {
  const characters = Array.from(text);
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += PIECE)
    parts.push(characters.slice(start, start + PIECE).join(""));
  return parts;
}
