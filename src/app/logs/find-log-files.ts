import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Delegation } from "../../journal/store.ts";

const logStreams = ["stdout", "stderr"] as const;
type LogStream = (typeof logStreams)[number];

/** One file an attempt wrote to. */
export interface LogSource {
  readonly [key: string]: unknown;
  readonly delegation: string;
  readonly attempt: number;
  readonly stream: LogStream;
  readonly path: string;
  readonly bytes: number;
}

/** The files there are now, by delegation and attempt; of one attempt the stream that was written last comes last. */
export function findLogSources(
  stateDirectory: string,
  delegations: readonly Pick<Delegation, "id">[],
): readonly LogSource[] {
  return delegations.flatMap(({ id }) => {
    const folder = findLogFolder(stateDirectory, id);
    return attemptsIn(folder).flatMap((attempt) =>
      sourcesOf(join(folder, `attempt-${attempt}`), id, attempt),
    );
  });
}

/** Whether a delegation has written anything that was kept. */
export function hasLogs(stateDirectory: string, id: string): boolean {
  return existsSync(findLogFolder(stateDirectory, id));
}

function findLogFolder(stateDirectory: string, id: string): string {
  return join(stateDirectory, "logs", id);
}

function attemptsIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => (/^attempt-\d{1,6}$/.test(name) ? [Number(name.slice("attempt-".length))] : []))
      .toSorted((one, other) => one - other);
  } catch {
    // It has not begun yet, or its logs were cleaned up.
    return [];
  }
}

function sourcesOf(folder: string, delegation: string, attempt: number): readonly LogSource[] {
  const found = logStreams.flatMap((stream) => {
    const path = join(folder, stream);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // A worker may put anything in place of its log; opening a pipe would wait for ever.
    if (stat?.isFile() !== true) return [];
    const source: LogSource = { delegation, attempt, stream, path, bytes: stat.size };
    return [{ source, writtenMs: stat.mtimeMs }];
  });
  return found.toSorted((one, other) => one.writtenMs - other.writtenMs).map(({ source }) => source);
}
