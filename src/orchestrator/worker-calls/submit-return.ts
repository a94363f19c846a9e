import { countThings } from "../../base/count-things.ts";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../../base/json.ts";
import type { Delegation } from "../../journal/store.ts";
import { readCaller } from "../calls/read-caller.ts";
import { nameAttemptFiles } from "../delegation/attempt-files.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import { buildReturnMetadata } from "../running/prepare/build-prompt.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { judgeReturn } from "../running/judge/validate-return.ts";
import { identifyCaller, runWhileLive } from "./caller.ts";
import { keepWorkNow } from "./keep-own-work.ts";

/** There is no file to read: the return comes with the call. */
const NO_FILE = "";

const MAX_SUMMARY_LENGTH = 500;

/**
 * A worker submits its return by a call instead of a file. The same contract applies. A valid return is written where the
 * runtime looks for it; an invalid one leaves the existing file as it was.
 */
export async function workerSubmits(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  return runWhileLive(engine, caller, async () => {
    const self = await readCaller(engine, caller);
    if (isExternalManager(self)) return finishExternalManager(engine, self, fields);
    const delegation = await keepWorkNow(engine, caller);
    const { tip, base } = delegation;
    const text = JSON.stringify({ ...fields, metadata: addMetadata(delegation, fields["metadata"]) });
    const tools = await pickStoryTools(engine.tools, delegation.story);
    const verdict = await judgeReturn(tools, delegation, {
      returnFile: NO_FILE,
      finalText: text,
      tip: tip ?? base ?? "HEAD",
    });
    const warnings = verdict.warnings.map(describeProblem);
    if (!verdict.valid)
      return {
        accepted: false,
        codes: verdict.codes,
        problems: verdict.problems.map(describeProblem),
        warnings,
      };
    await writeReturn(engine, delegation, text);
    return { accepted: true, codes: [], problems: [], warnings, advice: "Your return is in. End your turn." };
  });
}

/** The token identifies the worker already; the worker's statements about itself must agree with it. */
function addMetadata(delegation: Delegation, given: unknown): unknown {
  if (given === undefined || given === null) return buildReturnMetadata(delegation);
  return isRecord(given) ? { ...buildReturnMetadata(delegation), ...given } : given;
}

function describeProblem({ code, message }: { readonly code: string; readonly message: string }): object {
  return { code, message };
}

/** The worker may be able to write to this folder, so a new file replaces any link it put there. */
async function writeReturn(engine: EngineCalls, delegation: Delegation, text: string): Promise<void> {
  const place = await engine.tools.git.findPlace(delegation);
  const { id, attempt } = delegation;
  const { returnFile } = nameAttemptFiles(engine.tools.stateDirectory, {
    id,
    attempt,
    outbox: place?.outbox,
  });
  const temporary = join(dirname(returnFile), `.return-${randomBytes(8).toString("hex")}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(temporary, flags, 0o600);
  try {
    writeSync(file, `${text}\n`);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(temporary, returnFile);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** An external manager finishes its story. It hands in no return: its files are its own, its workers were proven. */
function finishExternalManager(
  engine: EngineCalls,
  { id, story, openWorkers }: Delegation,
  fields: Readonly<Record<string, unknown>>,
): object {
  const { summary } = fields;
  engine.externalManagers.finish(
    id,
    typeof summary === "string" ? summary.slice(0, MAX_SUMMARY_LENGTH).trim() : "",
  );
  const rest =
    openWorkers === 0
      ? "The story ends now"
      : `It ends when its ${countThings(openWorkers, "open worker")} ${openWorkers === 1 ? "has" : "have"}`;
  const advice = `${rest}. Completed work is on ambit/${story}; the person takes it with ambit merge ${story}.`;
  return { accepted: true, codes: [], problems: [], warnings: [], advice };
}
