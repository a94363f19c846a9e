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

export const noSpending: Spent = { ...noTokens, microUsd: 0 };

export function addSpent(one: Spent, other: Spent): Spent {
  const tokens = combineTokens(one, other, (amount, more) => amount + more);
  return { ...tokens, microUsd: one.microUsd + other.microUsd };
}

/** Never below zero: a session may have begun after something was booked. */
export function subtractSpent(whole: Spent, part: Spent): Spent {
  return { ...tokensBeyond(whole, part), microUsd: Math.max(0, whole.microUsd - part.microUsd) };
}

/** Micro-dollars by a price list; undefined where it has no price. */
export type PriceOf = (use: {
  readonly model: string | undefined;
  readonly tokens: Tokens;
  /** Some providers charge more for a long request; a total over many requests does not tell their lengths. */
  readonly isOneRequest: boolean;
}) => number | undefined;

/** No true report exceeds this; larger numbers would only break the sums of others. */
const MAX_TOKENS = 10 ** 10;
const MAX_MICRO_USD = 10 ** 12;

/**
 * Turns the usage reports of an agent into increases: never negative, never the same twice, in any order and scope.
 * Reports about steps, the run, the session, and requests seen on the wire are views of the same use, and none
 * exceeds the truth, so the largest view is booked.
 */
export class UsageMeter {
  readonly #scopes = {
    step: new ScopeSum(),
    request: new ScopeSum(),
    run: new ScopeSum(),
    session: new ScopeSum(),
  } as const;
  /** Use that earlier attempts have booked for the session that this one continues. */
  readonly #earlier: Spent;
  #booked: Spent;
  #unpricedTokens = 0;
  #model: string | undefined;
  /** Set where the reporter says that its dollars are not a provider's. */
  #source: Exclude<UsageSource, "reported"> | undefined;

  /** `model` is used for reports that name none; `booked` is what this attempt has booked before. */
  constructor(earlier: Spent, model?: string, booked: Spent = noSpending) {
    this.#earlier = earlier;
    this.#model = model;
    this.#booked = booked;
  }

  take({ scope, id, usage }: UsageReport, priceOf: PriceOf): void {
    const { model = this.#model, microUsd, source = "reported" } = usage;
    this.#model = model;
    if (microUsd !== null && source !== "reported") this.#source = source;
    const isOneRequest = scope === "step" || scope === "request";
    const reported = microUsd === null ? null : clampAmount(microUsd, MAX_MICRO_USD);
    const tokens = combineTokens(usage, noTokens, (amount) => clampAmount(amount, MAX_TOKENS));
    this.#scopes[scope].put(isOneRequest ? id : (id ?? ""), { tokens, reported }, (all) =>
      priceOf({ model, tokens: all, isOneRequest }),
    );
  }

  /** Returns the use that is not booked yet and marks it as booked; undefined when there is none. */
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

  /** The agent's own cost next to the price list's; undefined before the first report. */
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

/** A session's total includes what earlier attempts booked, and what they used before they were killed. */
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
 * The cost the agent itself reports, where it covers everything any report shows; then the price list is not asked,
 * even if it would say more. A session's total may lack an attempt that was killed before it was written.
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

/** Agents are not trusted to count: an invalid amount counts as zero. */
function clampAmount(amount: number, most: number): number {
  return Number.isFinite(amount) ? Math.min(most, Math.max(0, Math.floor(amount))) : 0;
}
