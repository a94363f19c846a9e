import { totalTokens, type Tokens } from "../../contract/usage.ts";
import { combineTokens, largerTokens, noTokens } from "./combine-tokens.ts";

/** One step or one running total, as reported so far. */
export interface Part {
  readonly tokens: Tokens;
  /** As the agent reports it; null where it names no dollars. */
  readonly reported: number | null;
  /** As the price list has it; undefined where it has no price. */
  readonly estimated: number | undefined;
}

/** All parts of one scope added up. */
export interface Sum {
  readonly tokens: Tokens;
  /** The agent's report where there is one, otherwise the price list's. */
  readonly microUsd: number;
  readonly estimated: number;
  /** Tokens of parts for which neither is known. */
  readonly unpricedTokens: number;
  readonly parts: number;
  readonly withoutDollars: number;
  readonly withoutPrice: number;
}

const nothing: Sum = {
  tokens: noTokens,
  microUsd: 0,
  estimated: 0,
  unpricedTokens: 0,
  parts: 0,
  withoutDollars: 0,
  withoutPrice: 0,
};

/** The reports of one scope. Adding one costs the same however many there are. */
export class ScopeSum {
  readonly #parts = new Map<string, Part>();
  #sum = nothing;

  get sum(): Sum {
    return this.#sum;
  }

  /** A known part grows to the larger of both reports; a report without an id is a part of its own. */
  put(
    id: string | undefined,
    seen: Pick<Part, "tokens" | "reported">,
    price: (tokens: Tokens) => Part["estimated"],
  ): void {
    const before = id === undefined ? undefined : this.#parts.get(id);
    const tokens = before === undefined ? seen.tokens : largerTokens(before.tokens, seen.tokens);
    const reported = largerDollars(before?.reported ?? null, seen.reported);
    const part = { tokens, reported, estimated: price(tokens) ?? before?.estimated };
    if (before !== undefined) this.#sum = countPart(this.#sum, before, -1);
    this.#sum = countPart(this.#sum, part, 1);
    if (id !== undefined) this.#parts.set(id, part);
  }
}

function largerDollars(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : Math.max(one ?? 0, other ?? 0);
}

function countPart(sum: Sum, { tokens, reported, estimated }: Part, times: 1 | -1): Sum {
  const isUnpriced = reported === null && estimated === undefined;
  return {
    tokens: combineTokens(sum.tokens, tokens, (all, one) => all + times * one),
    microUsd: sum.microUsd + times * (reported ?? estimated ?? 0),
    estimated: sum.estimated + times * (estimated ?? 0),
    unpricedTokens: sum.unpricedTokens + (isUnpriced ? times * totalTokens(tokens) : 0),
    parts: sum.parts + times,
    withoutDollars: sum.withoutDollars + (reported === null ? times : 0),
    withoutPrice: sum.withoutPrice + (estimated === undefined ? times : 0),
  };
}
