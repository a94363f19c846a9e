/** A seeded generator (mulberry32): the same seed gives the same run on every machine. */
export interface Random {
  /** 0 ≤ n < 1. */
  readonly next: () => number;
  /** 0 ≤ n < limit, whole. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  };
  return { next, below, pick, chance: (probability) => next() < probability };
}

/** One generator per case, so that case 734,211 can be repeated without the 734,210 before it. */
export function randomOfCase(seed: number, index: number): Random {
  return createRandom((Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0);
}
