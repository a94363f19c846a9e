import type { ConfigProblem } from "../model/config-problem.ts";
import type { ConfigEntry } from "../model/resolved-config.ts";

/** A value somebody set. Its key may still be another spelling of a setting. */
export type Setting = ConfigEntry;

/** What one source of settings gave. */
export interface Reading {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

export const emptyReading: Reading = { settings: [], problems: [], warnings: [] };

export function joinReadings(readings: readonly Reading[]): Reading {
  return {
    settings: readings.flatMap(({ settings }) => settings),
    problems: readings.flatMap(({ problems }) => problems),
    warnings: readings.flatMap(({ warnings }) => warnings),
  };
}

export function problemReading(problem: ConfigProblem): Reading {
  return { settings: [], problems: [problem], warnings: [] };
}
