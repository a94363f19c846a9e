import type { Random } from "../random.ts";
import { harshValues } from "./hostile-values.ts";
import type { Sample } from "./samples.ts";

interface Place {
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

/** Drops, renames, retypes, nests or moves one field of a parsed return. */
export function changeStructure(value: unknown, random: Random, samples: readonly Sample[]): unknown {
  const places = listPlaces(value);
  if (places.length === 0) return JSON.parse(random.pick(harshValues));
  const { owner, key } = random.pick(places);
  switch (random.below(9)) {
    case 0:
      delete owner[key];
      return value;
    case 1:
      owner[rename(key, random)] = owner[key];
      delete owner[key];
      return value;
    case 2:
      owner[key] = retype(owner[key]);
      return value;
    case 3:
      owner[key] = nest(owner[key], 1 + random.below(40));
      return value;
    case 4:
      // Copied: the same object in two places could later hold itself.
      owner[random.pick(places).key] = structuredClone(owner[key]);
      return value;
    case 5:
      Object.defineProperty(owner, "__proto__", {
        value: structuredClone(owner[key]),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      return value;
    case 6:
      owner[key] = pickField(JSON.parse(random.pick(samples).text), random);
      return value;
    default:
      owner[key] = JSON.parse(random.pick(harshValues));
      return value;
  }
}

function listPlaces(value: unknown): Place[] {
  if (!isContainer(value)) return [];
  return Object.keys(value).flatMap((key) => [{ owner: value, key }].concat(listPlaces(value[key])));
}

/** Arrays count too: their keys are their indexes. */
function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function rename(key: string, random: Random): string {
  return random.pick([
    `${key}s`,
    key.toUpperCase(),
    key.slice(1),
    `${key} `,
    key.replace("_", ""),
    "constructor",
    "x",
  ]);
}

function retype(value: unknown): unknown {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  return isContainer(value) ? Object.values(value) : JSON.stringify(value);
}

function nest(value: unknown, levels: number): unknown {
  let nested = value;
  for (let level = 0; level < levels; level += 1) nested = level % 2 === 0 ? [nested] : { nested };
  return nested;
}

function pickField(value: unknown, random: Random): unknown {
  const places = listPlaces(value);
  const { owner, key } = random.pick(places);
  return owner[key];
}
