import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { ProcessRecord } from "../containment/contained-process.ts";
import { containmentTiers } from "../containment/contained-process.ts";

export interface AttemptFiles {
  readonly directory: string;
  readonly prompt: string;
  readonly returnFile: string;
  readonly process: string;
}

/**
 * `.ambit/state/logs/<id>/attempt-N/`: raw output, prompt and return of one attempt. A worker in a sandbox cannot see
 * that folder and leaves its return in its outbox.
 */
export function attemptFiles(
  stateDirectory: string,
  run: { readonly id: string; readonly attempt: number; readonly outbox?: string | undefined },
): AttemptFiles {
  const { id, attempt, outbox } = run;
  const directory = join(stateDirectory, "logs", id, `attempt-${attempt}`);
  return {
    directory,
    prompt: join(directory, "prompt.md"),
    returnFile: join(outbox ?? directory, "return.json"),
    process: join(directory, "process.json"),
  };
}

export function writePrompt(files: AttemptFiles, prompt: string): void {
  mkdirSync(files.directory, { recursive: true, mode: 0o700 });
  writeFileSync(files.prompt, prompt, { mode: 0o600 });
}

/** Written right after the start, so that whoever comes after a crash can prove what is ours. */
export function writeProcessRecord(files: AttemptFiles, record: ProcessRecord): void {
  writeFileSync(files.process, JSON.stringify(record), { mode: 0o600 });
}

const recordSchema = z.strictObject({
  runId: z.string(),
  tier: z.enum(containmentTiers),
  uid: z.int(),
  identity: z.strictObject({ bootId: z.string(), pid: z.int(), startTime: z.number() }),
  cgroup: z.string().nullable(),
});

export function readProcessRecord(files: AttemptFiles): ProcessRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(files.process, "utf8")));
  } catch {
    // Killed before it was written: the run id alone still finds the processes.
    return undefined;
  }
}
