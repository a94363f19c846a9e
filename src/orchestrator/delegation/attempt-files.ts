import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { AnnouncedRun, ProcessRecord } from "../../containment/contained-process.ts";
import { containmentTiers } from "../../containment/contained-process.ts";

export interface AttemptFiles {
  readonly directory: string;
  readonly prompt: string;
  readonly returnFile: string;
  /** The notes that a worker leaves for the next session when it runs out of context. */
  readonly handoverFile: string;
  readonly process: string;
  /** Every check that was begun, one per line. */
  readonly checkRuns: string;
  /** The metering proxy's reports about each request, one per line. */
  readonly requests: string;
}

/**
 * The files in `.git/ambit/logs/<id>/attempt-N/`: raw output, prompt and return of one attempt. A worker in a sandbox
 * cannot see that folder and leaves its return in its outbox.
 */
export function nameAttemptFiles(
  stateDirectory: string,
  run: { readonly id: string; readonly attempt: number; readonly outbox?: string | undefined },
): AttemptFiles {
  const { id, attempt, outbox } = run;
  const directory = join(stateDirectory, "logs", id, `attempt-${attempt}`);
  // The outbox outlives the attempt, so the name says which attempt a file belongs to.
  const leave = (stem: string, ending: string): string =>
    outbox === undefined ? join(directory, stem + ending) : join(outbox, `${stem}-${attempt}${ending}`);
  return {
    directory,
    prompt: join(directory, "prompt.md"),
    returnFile: leave("return", ".json"),
    handoverFile: leave("handover", ".md"),
    process: join(directory, "process.json"),
    checkRuns: join(directory, "checks.jsonl"),
    requests: join(directory, "requests.jsonl"),
  };
}

/** Writes the prompt, and the story in the form of story files (R78). */
export function writePrompt(files: AttemptFiles, prompt: string, story: unknown): void {
  mkdirSync(files.directory, { recursive: true, mode: 0o700 });
  writeFileSync(files.prompt, prompt, { mode: 0o600 });
  writeFileSync(join(files.directory, "prd.json"), `${JSON.stringify(story, null, 2)}\n`, { mode: 0o600 });
}

/** The record is written right after the start, so that a later owner can prove which processes are ours. */
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

interface AttemptName {
  readonly id: string;
  readonly attempt: number;
}

/** The note is written before a check begins, so that a later owner can end it. */
export function noteCheckRun(
  stateDirectory: string,
  attempt: AttemptName,
  run: ProcessRecord | AnnouncedRun,
): void {
  const { directory, checkRuns } = nameAttemptFiles(stateDirectory, attempt);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  appendFileSync(checkRuns, `${JSON.stringify(run)}\n`, { mode: 0o600 });
}

export function readCheckRuns(
  stateDirectory: string,
  attempt: AttemptName,
): readonly (ProcessRecord | AnnouncedRun)[] {
  const { checkRuns } = nameAttemptFiles(stateDirectory, attempt);
  if (!existsSync(checkRuns)) return [];
  return readFileSync(checkRuns, "utf8").split("\n").flatMap(parseCheckRun);
}

/** The last line may be half written: its run had not begun. */
function parseCheckRun(line: string): readonly (ProcessRecord | AnnouncedRun)[] {
  try {
    const run = z.union([recordSchema, announcedSchema]).safeParse(JSON.parse(line));
    return run.success ? [run.data] : [];
  } catch {
    // The line is not JSON: see above.
    return [];
  }
}

const announcedSchema = z.strictObject({
  runId: z.string(),
  uid: z.int(),
  identity: z.null(),
  cgroup: z.null(),
});

export function readProcessRecord(files: AttemptFiles): ProcessRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(files.process, "utf8")));
  } catch {
    // The owner died before it was written; the run id alone still finds the processes.
    return undefined;
  }
}

/** The process of an attempt, for readers. */
export function readAttemptProcess(stateDirectory: string, attempt: AttemptName): ProcessRecord | undefined {
  return readProcessRecord(nameAttemptFiles(stateDirectory, attempt));
}
