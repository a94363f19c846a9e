import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Delegation } from "../../journal/store.ts";
import { attemptFiles } from "../delegation/attempt-files.ts";
import { returnMetadata } from "../running/prepare/build-prompt.ts";
import type { Engine } from "../engine.ts";
import { isOutside } from "../external-manager/rules.ts";
import { finishOutside } from "../external-manager/finish.ts";
import { judgeReturn } from "../running/judge/validate-return.ts";
import { identify, whileLive } from "./caller.ts";
import { keepNow } from "./keep-own-work.ts";

/** A file that is never there: the return to be judged comes with the call. */
const NO_FILE = "";

/**
 * A worker hands in its return by a call instead of a file. It is held against the same contract; one that passes is
 * put where the runtime looks for it, one that does not leaves what is there as it was.
 */
export async function workerSubmits(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  return whileLive(engine, caller, async () => {
    const self = await engine.read(caller.id);
    if (isOutside(self)) return finishOutside(engine, self, fields);
    const delegation = await keepNow(engine, caller);
    const { tip, base } = delegation;
    const text = JSON.stringify({ ...fields, metadata: metadataOf(delegation, fields["metadata"]) });
    const verdict = await judgeReturn(engine.tools, delegation, {
      returnFile: NO_FILE,
      finalText: text,
      tip: tip ?? base ?? "HEAD",
    });
    const warnings = verdict.warnings.map(tell);
    if (!verdict.valid)
      return { accepted: false, codes: verdict.codes, problems: verdict.problems.map(tell), warnings };
    await leave(engine, delegation, text);
    return { accepted: true, codes: [], problems: [], warnings, advice: "Your return is in. End your turn." };
  });
}

/** Who it is, the token says already; what a worker says about itself beside it must agree. */
function metadataOf(delegation: Delegation, given: unknown): unknown {
  return given === undefined || given === null ? returnMetadata(delegation) : given;
}

function tell({ code, message }: { readonly code: string; readonly message: string }): object {
  return { code, message };
}

/**
 * The folder may be one the worker can write: a link it put there must be replaced, never followed. So a new file is
 * made beside it and takes its name.
 */
async function leave(engine: Engine, delegation: Delegation, text: string): Promise<void> {
  const place = await engine.tools.git.findPlace(delegation);
  const { id, attempt } = delegation;
  const { returnFile } = attemptFiles(engine.tools.stateDirectory, { id, attempt, outbox: place?.outbox });
  const beside = join(dirname(returnFile), `.return-${randomBytes(8).toString("hex")}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(beside, flags, 0o600);
  try {
    writeSync(file, `${text}\n`);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(beside, returnFile);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
