import type { Remedy } from "./remedies.ts";

/** Whether a workspace with these remedies behaves as the user's checkout does. */
export type IsEnough = (remedies: readonly Remedy[]) => Promise<boolean>;

export interface RemedyChoice {
  /** Those that the failed run speaks of, which are tried first. */
  readonly likely: readonly Remedy[];
  readonly all: readonly Remedy[];
  /** Installs dependencies again; tried when nothing else is enough. */
  readonly install: Remedy | undefined;
}

/** The few settings that are enough; undefined if none are. Each question is a run of the tests. */
export async function findRemedy(
  { likely, all, install }: RemedyChoice,
  isEnough: IsEnough,
): Promise<readonly Remedy[] | undefined> {
  if (likely.length > 0 && likely.length < all.length && (await isEnough(likely)))
    return shrink(likely, isEnough);
  if (all.length > 0 && (await isEnough(all))) return shrink(all, isEnough);
  if (install === undefined) return undefined;
  if (await isEnough([install])) return [install];
  const both = [...all, install];
  return all.length > 0 && (await isEnough(both)) ? shrink(both, isEnough) : undefined;
}

/** Leaves out what is not needed: halves first, then single ones. */
async function shrink(remedies: readonly Remedy[], isEnough: IsEnough): Promise<readonly Remedy[]> {
  let current = remedies;
  for (let size = Math.ceil(current.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < current.length;) {
      const rest = [...current.slice(0, at), ...current.slice(at + size)];
      if (rest.length > 0 && (await isEnough(rest))) current = rest;
      else at += size;
    }
  return current;
}
