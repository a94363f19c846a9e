import { readFieldAt } from "../../base/json.ts";
/** Usage that an answer has reported so far. Providers repeat themselves, so the largest number counts. */
export interface UsageReading {
  readonly model: string | undefined;
  /** Undefined until the provider reports them. */
  readonly tokens: TokenReading | undefined;
  /** Length of the written text, for an estimate if the numbers never come. */
  readonly textLength: number;
}

interface TokenReading {
  /** Without tokens read from a cache. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export const nothingRead: UsageReading = { model: undefined, tokens: undefined, textLength: 0 };

/**
 * Takes in one event of a stream or one whole answer of Anthropic Messages, OpenAI Responses, OpenAI Chat Completions
 * or Gemini. Total: an unknown event changes nothing.
 */
export function readUsageEvent(before: UsageReading, value: unknown): UsageReading {
  if (Array.isArray(value)) return value.reduce(readUsageEvent, before);
  return {
    model: readModelName(value) ?? before.model,
    tokens: takeLargerCounts(before.tokens, readTokenFields(value)),
    textLength: before.textLength + measureText(value, MAX_LEVELS),
  };
}

function readModelName(value: unknown): string | undefined {
  const named = [
    readFieldAt(value, "model"),
    readFieldAt(value, "modelVersion"),
    readFieldAt(value, "message", "model"),
    readFieldAt(value, "response", "model"),
  ].find((model) => typeof model === "string" && model !== "" && model.length <= MAX_MODEL_LENGTH);
  return typeof named === "string" ? named : undefined;
}

const MAX_MODEL_LENGTH = 200;

function readTokenFields(value: unknown): TokenReading | undefined {
  const gemini = readFieldAt(value, "usageMetadata");
  if (isPlainObject(gemini)) return readGeminiTokens(gemini);
  const usage =
    readFieldAt(value, "usage") ??
    readFieldAt(value, "message", "usage") ??
    readFieldAt(value, "response", "usage");
  if (!isPlainObject(usage)) return undefined;
  if (readFieldAt(usage, "prompt_tokens") !== undefined) return readChatTokens(usage);
  const isResponses =
    readFieldAt(value, "response") !== undefined || readFieldAt(value, "object") === "response";
  return isResponses ? responsesTokens(usage) : anthropicTokens(usage);
}

/** The only API whose input excludes cached tokens; tokens written to the cache count as input. */
function anthropicTokens(usage: object): TokenReading {
  return {
    input: readCount(usage, "input_tokens") + readCount(usage, "cache_creation_input_tokens"),
    cached: readCount(usage, "cache_read_input_tokens"),
    output: readCount(usage, "output_tokens"),
  };
}

function responsesTokens(usage: object): TokenReading {
  const cached = readCount(usage, "input_tokens_details", "cached_tokens");
  return {
    input: Math.max(0, readCount(usage, "input_tokens") - cached),
    cached,
    output: readCount(usage, "output_tokens"),
  };
}

function readChatTokens(usage: object): TokenReading {
  const cached = readCount(usage, "prompt_tokens_details", "cached_tokens");
  return {
    input: Math.max(0, readCount(usage, "prompt_tokens") - cached),
    cached,
    output: readCount(usage, "completion_tokens"),
  };
}

function readGeminiTokens(usage: object): TokenReading {
  const cached = readCount(usage, "cachedContentTokenCount");
  const prompt = readCount(usage, "promptTokenCount") + readCount(usage, "toolUsePromptTokenCount");
  return {
    input: Math.max(0, prompt - cached),
    cached,
    output: readCount(usage, "candidatesTokenCount") + readCount(usage, "thoughtsTokenCount"),
  };
}

function takeLargerCounts(
  before: TokenReading | undefined,
  now: TokenReading | undefined,
): TokenReading | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  return {
    input: Math.max(before.input, now.input),
    cached: Math.max(before.cached, now.cached),
    output: Math.max(before.output, now.output),
  };
}

const MAX_LEVELS = 12;
const TEXT_FIELDS = new Set(["text", "content", "delta", "thinking", "partial_json", "arguments", "input"]);

/** Only text by the model: a stream also repeats names, ids and, at its end, the whole answer. */
function measureText(value: unknown, levels: number): number {
  if (!isPlainObject(value) || levels === 0 || readFieldAt(value, "response") !== undefined) return 0;
  let length = 0;
  for (const [name, inner] of Object.entries(value))
    length +=
      typeof inner === "string" ? (TEXT_FIELDS.has(name) ? inner.length : 0) : measureText(inner, levels - 1);
  return length;
}

function readCount(value: object, ...path: readonly string[]): number {
  const found = readFieldAt(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) && found > 0 ? found : 0;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
