import type { ConfigValues } from "../../contract/config.ts";

/** Where a value can come from, the strongest first. */
export const layers = ["flag", "environment", "story", "project", "user", "default"] as const;

export type Layer = (typeof layers)[number];

/** The source of a value: the flag, the variable, the story's id or the file, with the line in a file. */
export interface Origin {
  readonly layer: Layer;
  readonly source: string;
  readonly line?: number | undefined;
}

/** One setting with its value in force and its origin. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** The configuration in force, with origins. `entries` has every key of `configKeys`, in that order. */
export interface ResolvedConfig {
  readonly values: ConfigValues;
  readonly entries: readonly ConfigEntry[];
  readonly warnings: readonly string[];
}

/** `ambit.yaml:4`, `MAX_DELEGATION_DEPTH`, `--depth`, `US-040` */
export function formatOrigin(origin: Origin): string {
  return origin.line === undefined ? origin.source : `${origin.source}:${origin.line}`;
}
