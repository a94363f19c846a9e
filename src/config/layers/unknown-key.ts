import { configKeys } from "../../contract/config-keys.ts";
import type { Origin } from "../model/resolved-config.ts";
import { makePrintable } from "../values/describe-value.ts";
import { problemReading, type Reading } from "./setting.ts";

const MAX_NAME_LENGTH = 64;

const settingKeys: readonly string[] = configKeys.map(({ key }) => key);

/** Reports an unknown key, with the one that was probably meant: by spelling, or by its name in another section. */
export function unknownKey(key: string, origin: Origin, known: readonly string[] = settingKeys): Reading {
  const meant = suggestKey(key, known) ?? known.find((candidate) => lastName(candidate) === lastName(key));
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return problemReading({
    code: "UNKNOWN_CONFIG_KEY",
    key: makePrintable(key),
    origin,
    reason: `is not a setting${hint}`,
  });
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

/** Finds the candidate that a mistyped name most likely means, if any is close. */
function suggestKey(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const allowed = Math.max(2, Math.floor(name.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance, candidate }) => distance <= allowed && distance < candidate.length)
    .toSorted((left, right) => left.distance - right.distance);
  return ranked[0]?.candidate;
}

/** Insertions, deletions and replacements between two texts, one row of the table at a time. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, inserted, (previous[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
