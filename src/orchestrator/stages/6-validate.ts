import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { returnCaps } from "../../contract/read-return.ts";
import { validateReturnBytes, type ReturnVerdict } from "../../contract/validate-return.ts";
import type { RunTools } from "../run-tools.ts";
import type { ReturnedRun } from "./5-invoke.ts";

export interface JudgedRun extends ReturnedRun {
  /** Undefined when the worker left neither a file nor JSON in its last words. */
  readonly verdict: ReturnVerdict;
}

/** The file whose path the prompt gave comes first; the last words are searched only without one. */
export async function validateReturnOf(tools: RunTools, run: ReturnedRun): Promise<JudgedRun> {
  const { delegation } = run;
  const source = readRegular(run.files.returnFile) ?? tail(run.end.finalText);
  const verdict = validateReturnBytes(source.bytes, {
    session: delegation.sessionId,
    depth: delegation.depth,
    path: delegation.path,
    totalBytes: source.totalBytes,
  });
  if (!verdict.valid) {
    await tools.store.record({
      type: "return-rejected",
      story: delegation.story,
      delegation: delegation.id,
      attempt: delegation.attempt,
      data: { codes: [...verdict.codes], repair: 0 },
    });
  }
  return { ...run, verdict };
}

interface Source {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** A worker could put a link or a pipe there; only a plain file is read, and of that not more than the cap. */
function readRegular(file: string): Source | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Not there, or not a plain file: the worker left nothing we would read.
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, returnCaps.bytes + 1));
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, read), totalBytes: stat.size };
  } finally {
    closeSync(descriptor);
  }
}

function tail(text: string): Source {
  const bytes = Buffer.from(text).subarray(-returnCaps.bytes);
  return { bytes, totalBytes: bytes.length };
}
