import { totalTokens, type Tokens } from "../../contract/usage.ts";

export const noTokens: Tokens = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** Combines kind by kind: one report may know more of the input and the other more of the output. */
export function combineTokens(
  one: Tokens,
  other: Tokens,
  combine: (left: number, right: number) => number,
): Tokens {
  return {
    inputTokens: combine(one.inputTokens, other.inputTokens),
    cachedTokens: combine(one.cachedTokens, other.cachedTokens),
    outputTokens: combine(one.outputTokens, other.outputTokens),
  };
}

export function largerTokens(one: Tokens, other: Tokens): Tokens {
  return combineTokens(one, other, Math.max);
}

/** The amounts by which one exceeds the other, never negative. */
export function tokensBeyond(one: Tokens, other: Tokens): Tokens {
  return combineTokens(one, other, (left, right) => Math.max(0, left - right));
}

export function hasAtLeast(one: Tokens, other: Tokens): boolean {
  return totalTokens(tokensBeyond(other, one)) === 0;
}
