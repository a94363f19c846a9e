/** What an answer said so far about what it used. Providers repeat themselves, so the largest number counts. */
export interface UsageReading {
  readonly model: string | undefined;
  /** Undefined until the provider has named them. */
  readonly tokens: TokenReading | undefined;
  /** Length of the text that was written, for an estimate where the numbers never come. */
  readonly textLength: number;
}

interface TokenReading {
  /** Without what was read from a cache. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export const nothingRead: UsageReading = { model: undefined, tokens: undefined, textLength: 0 };

/**
 * Takes in one event of a stream or one whole answer of Anthropic Messages, OpenAI Responses, OpenAI Chat Completions
 * or Gemini. Total: what it does not know changes nothing.
 */
export function readUsage(before: UsageReading, value: unknown): UsageReading {
  if (Array.isArray(value)) return value.reduce(readUsage, before);
  return {
    model: modelOf(value) ?? before.model,
    tokens: larger(before.tokens, tokensOf(value)),
    textLength: before.textLength + textLength(value, MOST_LEVELS),
  };
}

function modelOf(value: unknown): string | undefined {
  const named = [
    at(value, "model"),
    at(value, "modelVersion"),
    at(value, "message", "model"),
    at(value, "response", "model"),
  ].find((model) => typeof model === "string" && model !== "" && model.length <= LONGEST_MODEL);
  return typeof named === "string" ? named : undefined;
}

const LONGEST_MODEL = 200;

function tokensOf(value: unknown): TokenReading | undefined {
  const gemini = at(value, "usageMetadata");
  if (isObject(gemini)) return geminiTokens(gemini);
  const usage = at(value, "usage") ?? at(value, "message", "usage") ?? at(value, "response", "usage");
  if (!isObject(usage)) return undefined;
  if (at(usage, "prompt_tokens") !== undefined) return chatTokens(usage);
  const isResponses = at(value, "response") !== undefined || at(value, "object") === "response";
  return isResponses ? responsesTokens(usage) : anthropicTokens(usage);
}

/** The only one that counts what it read from a cache apart; writing to the cache is reading for the first time. */
function anthropicTokens(usage: object): TokenReading {
  return {
    input: count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens"),
    cached: count(usage, "cache_read_input_tokens"),
    output: count(usage, "output_tokens"),
  };
}

function responsesTokens(usage: object): TokenReading {
  const cached = count(usage, "input_tokens_details", "cached_tokens");
  return {
    input: Math.max(0, count(usage, "input_tokens") - cached),
    cached,
    output: count(usage, "output_tokens"),
  };
}

function chatTokens(usage: object): TokenReading {
  const cached = count(usage, "prompt_tokens_details", "cached_tokens");
  return {
    input: Math.max(0, count(usage, "prompt_tokens") - cached),
    cached,
    output: count(usage, "completion_tokens"),
  };
}

function geminiTokens(usage: object): TokenReading {
  const cached = count(usage, "cachedContentTokenCount");
  const prompt = count(usage, "promptTokenCount") + count(usage, "toolUsePromptTokenCount");
  return {
    input: Math.max(0, prompt - cached),
    cached,
    output: count(usage, "candidatesTokenCount") + count(usage, "thoughtsTokenCount"),
  };
}

function larger(before: TokenReading | undefined, now: TokenReading | undefined): TokenReading | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  return {
    input: Math.max(before.input, now.input),
    cached: Math.max(before.cached, now.cached),
    output: Math.max(before.output, now.output),
  };
}

const MOST_LEVELS = 12;
const TEXT_FIELDS = new Set(["text", "content", "delta", "thinking", "partial_json", "arguments", "input"]);

/** Only what the model wrote: a stream also repeats names, ids and, at its end, the whole answer. */
function textLength(value: unknown, levels: number): number {
  if (!isObject(value) || levels === 0 || at(value, "response") !== undefined) return 0;
  let length = 0;
  for (const [name, inner] of Object.entries(value))
    length +=
      typeof inner === "string" ? (TEXT_FIELDS.has(name) ? inner.length : 0) : textLength(inner, levels - 1);
  return length;
}

function count(value: object, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) && found > 0 ? found : 0;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found)) return undefined;
    found = Object.getOwnPropertyDescriptor(found, name)?.value;
  }
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
