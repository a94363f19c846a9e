import type { Delegation, StoreReader } from "../../../journal/store.ts";
import type { Target } from "../../../app/find-target.ts";
import { findLogSources, type LogSource } from "./log-sources.ts";

/** What the logs are asked about, settled once. */
export interface LogQuestion {
  readonly target: Target;
  readonly reader: StoreReader;
  readonly stateDirectory: string;
  readonly tail: number | undefined;
}

/** The delegations whose logs are meant. */
async function delegationsOf({ target, reader }: LogQuestion): Promise<readonly Delegation[]> {
  if (target.id === target.story.id) return reader.storyTree(target.story.id);
  const delegation = await reader.delegation(target.id);
  return delegation === undefined ? [] : [delegation];
}

export async function sourcesOf(question: LogQuestion): Promise<readonly LogSource[]> {
  return findLogSources(question.stateDirectory, await delegationsOf(question));
}

/** Which events of the journal are meant. */
export function eventFilter({ id, story }: Target): { story: string } | { delegation: string } {
  return id === story.id ? { story: id } : { delegation: id };
}
