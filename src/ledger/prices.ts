import type { calcPrice } from "@pydantic/genai-prices";
import { dropUndefined } from "../base/json.ts";
import { totalTokens, type Tokens } from "../contract/usage.ts";
import type { PriceOf } from "./usage-meter.ts";

interface Library {
  readonly calcPrice: typeof calcPrice;
}

/** No provider charges extra for requests up to this length. */
const SHORT_REQUEST_TOKENS = 128_000;
/** Small enough for every price list, large enough for exact rates. */
const SAMPLE_TOKENS = 1000;
const MAX_REMEMBERED = 100;
const MAX_MODEL_LENGTH = 200;
const MICRO = 1_000_000;

interface Rates {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

let loading: Promise<PriceOf> | undefined;

/**
 * Loads the price list that comes with the package; nothing is fetched. It is half a megabyte of code, so it is
 * loaded once, when the first report names a model.
 */
export function loadPrices(): Promise<PriceOf> {
  loading ??= import("@pydantic/genai-prices").then(priceList);
  return loading;
}

function priceList(library: Library): PriceOf {
  const remembered = new Map<string, Rates>();
  const recallRates = (model: string): Rates => {
    const known = remembered.get(model);
    if (known !== undefined) return known;
    // Model names come from agents: an agent that invents a new name each time must not fill the memory.
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const rates = findRates(library, model);
    remembered.set(model, rates);
    return rates;
  };
  return ({ model, tokens, isOneRequest }) => {
    if (model === undefined || model.length > MAX_MODEL_LENGTH) return undefined;
    if (isOneRequest && totalTokens(tokens) > SHORT_REQUEST_TOKENS)
      return calculatePrice(library, model, tokens);
    const rates = recallRates(model);
    const { inputTokens, cachedTokens, outputTokens } = tokens;
    const price = inputTokens * rates.input + cachedTokens * rates.cached + outputTokens * rates.output;
    return Number.isNaN(price) ? undefined : price;
  };
}

/** Rates per token, as for short requests; undefined where there is no price. */
function findRates(library: Library, model: string): Rates {
  const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
  const sampleRate = (sample: Partial<Tokens>): number =>
    (calculatePrice(library, model, { ...none, ...sample }) ?? Number.NaN) / SAMPLE_TOKENS;
  return {
    input: sampleRate({ inputTokens: SAMPLE_TOKENS }),
    cached: sampleRate({ cachedTokens: SAMPLE_TOKENS }),
    output: sampleRate({ outputTokens: SAMPLE_TOKENS }),
  };
}

function calculatePrice(library: Library, model: string, tokens: Tokens): number | undefined {
  const usage = {
    input_tokens: tokens.inputTokens + tokens.cachedTokens,
    cache_read_tokens: tokens.cachedTokens,
    output_tokens: tokens.outputTokens,
  };
  for (const { name, provider } of listSpellings(model)) {
    try {
      const price = library.calcPrice(usage, name, dropUndefined({ providerId: provider }));
      if (price !== null) return price.total_price * MICRO;
    } catch {
      // An entry of the list that contradicts itself has no price.
      return undefined;
    }
  }
  return undefined;
}

/**
 * `anthropic/claude-sonnet-4-5`: tried with its provider, then by its name alone, because some prefixes are not
 * providers.
 */
function listSpellings(model: string): readonly { readonly name: string; readonly provider?: string }[] {
  const slash = model.indexOf("/");
  if (slash < 0) return [{ name: model }];
  const name = model.slice(slash + 1);
  return [{ name, provider: model.slice(0, slash) }, { name }];
}
