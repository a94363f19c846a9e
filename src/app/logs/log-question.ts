import type { Delegation, Story, StoreReader } from "../../journal/store.ts";
import { findLogSources, type LogSource } from "./find-log-files.ts";

/** The question to the logs, with every default settled. */
export interface LogQuestion {
  readonly target: { readonly story: Story; readonly id: string };
  readonly reader: StoreReader;
  readonly stateDirectory: string;
  readonly tail: number | undefined;
}

/** A story's logs are those of its whole tree; a delegation's are its own. */
export async function listDelegations({ target, reader }: LogQuestion): Promise<readonly Delegation[]> {
  if (target.id === target.story.id) return reader.storyTree(target.story.id);
  const delegation = await reader.delegation(target.id);
  return delegation === undefined ? [] : [delegation];
}

export async function listLogFiles(question: LogQuestion): Promise<readonly LogSource[]> {
  return findLogSources(question.stateDirectory, await listDelegations(question));
}

/** Which events of the journal are meant. */
export function buildEventFilter({
  id,
  story,
}: LogQuestion["target"]): { story: string } | { delegation: string } {
  return id === story.id ? { story: id } : { delegation: id };
}
