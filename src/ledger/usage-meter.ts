import { dropUndefined } from "../base/json.ts";
import {
  totalTokens,
  type AttemptCost,
  type Tokens,
  type Usage,
  type UsageReport,
  type UsageSource,
} from "../contract/usage.ts";
import { combineTokens, hasAtLeast, largerTokens, noTokens, tokensBeyond } from "./usage/combine-tokens.ts";
import { ScopeSum, type Sum } from "./usage/scope-sum.ts";

export interface Spent extends Tokens {
  readonly microUsd: number;
}

/** Micro-dollars by a price list; undefined where it knows none. */
export type PriceOf = (use: {
  readonly model: string | undefined;
  readonly tokens: Tokens;
  /** Some providers charge more for a long request; a total of many says nothing about their lengths. */
  readonly isOneRequest: boolean;
}) => number | undefined;

/** More than any report can mean; what is above it would only break the sums of others. */
const MOST_TOKENS = 10 ** 10;
const MOST_MICRO_USD = 10 ** 12;

/**
 * Turns what an agent says of its use into increases: never negative, never the same twice, in whatever order and
 * scope it speaks. What it says of steps, of its run and of its session, and what was seen of its requests, are views of
 * the same use, and each is at most the truth; so what is booked is the most that any of them shows.
 */
export class UsageMeter {
  readonly #scopes = {
    step: new ScopeSum(),
    request: new ScopeSum(),
    run: new ScopeSum(),
    session: new ScopeSum(),
  } as const;
  /** What earlier attempts have booked for the session that this one continues. */
  readonly #earlier: Spent;
  #booked: Spent = { ...noTokens, microUsd: 0 };
  #unpricedTokens = 0;
  #model: string | undefined;
  /** Where the one who reports says of its dollars that they are not a provider's. */
  #source: Exclude<UsageSource, "reported"> | undefined;

  /** `model`: whose it is where a report names none. */
  constructor(earlier: Spent, model?: string) {
    this.#earlier = earlier;
    this.#model = model;
  }

  take({ scope, id, usage }: UsageReport, priceOf: PriceOf): void {
    const { model = this.#model, microUsd, source = "reported" } = usage;
    this.#model = model;
    if (microUsd !== null && source !== "reported") this.#source = source;
    const isOneRequest = scope === "step" || scope === "request";
    const reported = microUsd === null ? null : whole(microUsd, MOST_MICRO_USD);
    const tokens = combineTokens(usage, noTokens, (amount) => whole(amount, MOST_TOKENS));
    this.#scopes[scope].put(isOneRequest ? id : (id ?? ""), { tokens, reported }, (all) =>
      priceOf({ model, tokens: all, isOneRequest }),
    );
  }

  /** What has not been booked yet, and now counts as booked; undefined when there is nothing. */
  due(): Usage | undefined {
    const { tokens, vendor, microUsd, unpricedTokens } = this.#view();
    const more = tokensBeyond(tokens, this.#booked);
    const moreMicroUsd = Math.max(0, Math.round(microUsd) - this.#booked.microUsd);
    if (totalTokens(more) === 0 && moreMicroUsd === 0) return undefined;
    const isUnpriced = moreMicroUsd === 0 && unpricedTokens > this.#unpricedTokens;
    const source =
      this.#source ?? (vendor === undefined ? (isUnpriced ? "unpriced" : "estimated") : "reported");
    this.#unpricedTokens = unpricedTokens;
    this.#booked = { ...largerTokens(tokens, this.#booked), microUsd: this.#booked.microUsd + moreMicroUsd };
    return { ...dropUndefined({ model: this.#model }), ...more, microUsd: moreMicroUsd, source };
  }

  /** The agent's word and the price list's side by side; undefined while nothing was reported. */
  cost(): AttemptCost | undefined {
    const { tokens, vendor, unpricedTokens, scopes } = this.#view();
    if (scopes.every(({ parts }) => parts === 0)) return undefined;
    const priced = scopes.find(
      (scope) => scope.parts > 0 && scope.withoutPrice === 0 && hasAtLeast(scope.tokens, tokens),
    );
    return {
      bookedMicroUsd: this.#booked.microUsd,
      reportedMicroUsd: vendor === undefined || this.#source !== undefined ? null : Math.round(vendor),
      estimatedMicroUsd: priced === undefined ? null : Math.round(priced.estimated),
      unpricedTokens,
    };
  }

  #view() {
    const { step, request, run, session } = this.#scopes;
    const scopes = [step.sum, request.sum, run.sum, sinceEarlier(session.sum, this.#earlier)];
    const tokens = scopes.reduce<Tokens>((most, scope) => largerTokens(most, scope.tokens), noTokens);
    const vendor = vendorMicroUsd(scopes, tokens);
    const guess = Math.max(...scopes.map(({ microUsd }) => microUsd));
    const unpriced = Math.max(...scopes.map(({ unpricedTokens }) => unpricedTokens));
    const unpricedTokens = vendor === undefined ? unpriced : 0;
    return { scopes, tokens, vendor, microUsd: vendor ?? guess, unpricedTokens };
  }
}

/** A session's total holds what earlier attempts of it have booked, and what they were killed before they could. */
function sinceEarlier(sum: Sum, earlier: Spent): Sum {
  return {
    ...sum,
    tokens: tokensBeyond(sum.tokens, earlier),
    microUsd: Math.max(0, sum.microUsd - earlier.microUsd),
    estimated: Math.max(0, sum.estimated - earlier.microUsd),
    unpricedTokens: Math.max(0, sum.unpricedTokens - totalTokens(earlier)),
  };
}

/**
 * What the agent itself says it cost, where that is for everything any report knows of: a price list is not asked
 * then, even if it would say more. A session's total may lack an attempt that was killed before it was written down.
 */
function vendorMicroUsd(scopes: readonly Sum[], tokens: Tokens): number | undefined {
  const complete = scopes.filter(
    (sum) =>
      sum.parts > 0 && sum.withoutDollars === 0 && (hasAtLeast(sum.tokens, tokens) || isDollarsOnly(sum)),
  );
  return complete.length === 0 ? undefined : Math.max(...complete.map(({ microUsd }) => microUsd));
}

function isDollarsOnly({ tokens, microUsd }: Sum): boolean {
  return totalTokens(tokens) === 0 && microUsd > 0;
}

/** Agents are not trusted to count: what is no amount is none. */
function whole(amount: number, most: number): number {
  return Number.isFinite(amount) ? Math.min(most, Math.max(0, Math.floor(amount))) : 0;
}
