import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../../../contract/outcome.ts";
import { summaryMaxLength } from "../../../contract/agent-return.ts";
import type { Settlement } from "../../../journal/store.ts";
import { returnMetadata } from "../prepare/build-prompt.ts";
import type { JudgedAttempt } from "./validate-return.ts";
import { troubleOf } from "./troubles.ts";

export interface Salvage {
  readonly outcome: Outcome;
  readonly code?: string;
  readonly what: string;
  /** What a person does about it. */
  readonly next?: string;
}

/** How a delegation ends that left no usable return: its work is kept, and told apart from one that never began. */
export function salvage(attempt: JudgedAttempt, { outcome, code, what, next }: Salvage): Settlement {
  const { work, delegation, verdict } = attempt;
  const changed = work.filesChanged.length;
  const begun = !verdict.valid && verdict.codes.includes("INTERRUPTED") ? " It had begun." : "";
  const kept =
    changed === 0 ? "Nothing was changed." : `${changed} file(s) kept on delegation/${delegation.id}.`;
  return {
    outcome,
    ...(code === undefined ? {} : { code }),
    summary: [`${what}.${begun}`, kept, next ?? ""].filter((part) => part !== "").join(" "),
    filesChanged: work.filesChanged,
  };
}

/**
 * A return in the worker's stead, valid by the same contract, beside what the worker left: whoever reads returns
 * finds one after every ending (R73).
 */
export function writeSalvagedReturn(attempt: JudgedAttempt, settlement: Settlement): void {
  const { delegation, files, work } = attempt;
  const code = settlement.code ?? "UNKNOWN_ERROR";
  const kept = work.filesChanged.length === 0 ? "failed" : "partial";
  const salvaged = {
    status: settlement.outcome === "blocked" ? "blocked" : kept,
    summary: settlement.summary.slice(0, summaryMaxLength),
    artifacts: work.filesChanged.slice(0, 100).map((path) => ({ type: "implementation", path })),
    metadata: returnMetadata(delegation),
    errors: [
      {
        type: code === "TIMEOUT" || code === "STALLED" ? "timeout" : "execution",
        code,
        message: settlement.summary,
        recoverable: true,
        recommendation:
          troubleOf(code)?.next ?? `Look at delegation/${delegation.id}, then ambit retry ${delegation.id}.`,
      },
    ],
  };
  writeFileSync(join(files.directory, "salvaged-return.json"), `${JSON.stringify(salvaged, null, 2)}\n`, {
    mode: 0o600,
  });
}
