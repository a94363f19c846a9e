import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandOutcome } from "../../command-module.ts";
import { codeOf } from "../../input-error.ts";
import type { Target } from "../../../app/find-target.ts";
import type { LogSource } from "./log-sources.ts";

/** Every byte as it was written, one file after the other; for pipes and files only. */
export async function writeRawLogs(sources: readonly LogSource[], target: Target): Promise<CommandOutcome> {
  try {
    for (const { path } of sources) await pipeline(createReadStream(path), process.stdout, { end: false });
  } catch (error) {
    // A reader that has seen enough, as in `ambit logs --raw | head`, is no failure.
    if (!["EPIPE", "ECONNRESET"].includes(codeOf(error))) throw error;
  }
  return { exitCode: exitCode.completed, json: { story: target.story.id, id: target.id }, text: "" };
}
