import type { ConfigProblem } from "../model/config-problem.ts";
import type { ConfigEntry } from "../model/resolved-config.ts";

/** A configured value. Its key may still be another spelling of a setting. */
export type Setting = ConfigEntry;

/** The settings and problems of one source. */
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
