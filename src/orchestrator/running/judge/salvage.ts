import { countFiles } from "../../../base/count-things.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { safeText } from "../../../base/safe-text.ts";
import { summaryMaxLength } from "../../../contract/agent-return.ts";
import type { ErrorCode } from "../../../contract/error-code.ts";
import type { Outcome } from "../../../contract/outcome.ts";
import type { Settlement } from "../../../journal/store.ts";
import { redactValue } from "../../../redaction/redact.ts";
import { buildReturnMetadata } from "../prepare/build-prompt.ts";
import { findTrouble } from "./troubles.ts";
import type { AttemptFacts, JudgedAttempt } from "./validate-return.ts";

export interface Salvage {
  readonly outcome: Outcome;
  readonly code?: string;
  readonly what: string;
  /** Advice for a person. */
  readonly next?: string;
}

/** The settlement of a delegation without a usable return: its work is kept, and the summary says whether it began. */
export function salvageWork(attempt: AttemptFacts, { outcome, code, what, next }: Salvage): Settlement {
  const { work, delegation, verdict } = attempt;
  const changed = work.filesChanged.length;
  const begun = !verdict.valid && verdict.codes.includes("INTERRUPTED") ? " It had started work." : "";
  const kept =
    changed === 0 ? "Nothing was changed." : `${countFiles(changed)} kept on delegation/${delegation.id}.`;
  return {
    outcome,
    ...(code === undefined ? {} : { code }),
    summary: [`${what}.${begun}`, kept, next ?? ""].filter((part) => part !== "").join(" "),
    filesChanged: work.filesChanged,
  };
}

const limitTexts = {
  budget: { code: "COST_LIMIT_EXCEEDED", what: "Stopped at its budget" },
  unmetered: {
    code: "BUDGET_UNMETERED",
    what: "Stopped because no price is known for its model, so its budget cannot be held",
    next: "Give a budget in tokens (--tokens), or --allow-unmetered.",
  },
  "own-agents": {
    code: "AGENT_STARTED_AGENTS",
    what: "Stopped because it began to start agents of its own, which no limit applies to",
    next: "Switch that off in its settings, or let it delegate with Ambit's tools.",
  },
  turns: { code: "AGENT_TURN_LIMIT", what: "Stopped at its maximum of tool calls (delegation.maxTurns)" },
  loop: {
    code: "AGENT_LOOPED",
    what: "Stopped because it repeated the same tool calls",
    next: "Describe the task more precisely, then ambit retry.",
  },
} as const;

/** Salvages the work of an attempt that the runtime stopped at a limit. */
export function salvageAtLimit(attempt: AttemptFacts, stopped: keyof typeof limitTexts): Settlement {
  return salvageWork(attempt, { outcome: "partial", ...limitTexts[stopped] });
}

const MAX_REASON_LENGTH = 300;

/**
 * Salvages the work of an agent that could not continue. An agent that needs a permission is blocked, because only a
 * person can help.
 */
export function salvageByCode(attempt: AttemptFacts, code: ErrorCode): Settlement {
  const { end, work } = attempt;
  const { what = "Its program could not continue", next = "" } = findTrouble(code) ?? {};
  const kept = work.filesChanged.length === 0 ? "failed" : "partial";
  return salvageWork(attempt, {
    outcome: code === "AGENT_NEEDS_PERMISSION" ? "blocked" : kept,
    code,
    // The reason may quote anything that the program printed.
    what: `${what} (${safeText(end.reason).slice(0, MAX_REASON_LENGTH)})`,
    next,
  });
}

/** Writes a return in the worker's place, valid by the same contract, so that there is one after every end (R73). */
export function writeSalvagedReturn(attempt: JudgedAttempt, settlement: Settlement): void {
  const { delegation, work } = attempt;
  const code = settlement.code ?? "UNKNOWN_ERROR";
  const kept = work.filesChanged.length === 0 ? "failed" : "partial";
  const error = {
    type: code === "TIMEOUT" || code === "STALLED" ? "timeout" : "execution",
    code,
    message: settlement.summary,
    recoverable: true,
    recommendation:
      findTrouble(code)?.next ?? `Look at delegation/${delegation.id}, then ambit retry ${delegation.id}.`,
  };
  const status = settlement.outcome === "blocked" ? "blocked" : kept;
  writeReturn(attempt, { status, summary: settlement.summary, errors: [error] });
}

/** The same for work that its criteria judge, because its program ended well without a return. */
export function writeMissingReturn(attempt: JudgedAttempt, summary: string): void {
  writeReturn(attempt, { status: "completed", summary });
}

const MAX_ARTIFACTS = 100;

interface WrittenReturn {
  readonly status: string;
  readonly summary: string;
  readonly errors?: readonly object[];
}

function writeReturn({ delegation, files, work }: JudgedAttempt, written: WrittenReturn): void {
  const value = {
    ...written,
    summary: written.summary.slice(0, summaryMaxLength),
    artifacts: work.filesChanged.slice(0, MAX_ARTIFACTS).map((path) => ({ type: "implementation", path })),
    metadata: buildReturnMetadata(delegation),
  };
  writeFileSync(
    join(files.directory, "salvaged-return.json"),
    `${JSON.stringify(redactValue(value).value, null, 2)}\n`,
    { mode: 0o600 },
  );
}
