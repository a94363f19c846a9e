import { renderDuration } from "../../base/duration-text.ts";
import type { Delegation } from "../../journal/store.ts";
import type { CheckNotice } from "../../verification/run-checks.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

export interface ToldCheck {
  readonly delegation: Pick<Delegation, "attempt" | "id" | "story">;
  /** The worker's work, or the tree that it started from. */
  readonly on: "work" | "base";
  /** All delegations whose work is checked together, this one included. */
  readonly together?: readonly string[];
}

const MAX_EVIDENCE_LENGTH = 4000;

/** Writes into the journal when a check begins and ends, and reports its progress to watchers meanwhile. */
export async function tellCheck(
  tools: RunTools,
  { delegation, on, together = [] }: ToldCheck,
  notice: CheckNotice,
): Promise<void> {
  const { command: check, criteria } = notice;
  const others = together.length === 0 ? {} : { together: [...together] };
  const about = { check, criteria: [...criteria], on, ...others };
  if (notice.kind === "started")
    await recordEvent(tools, delegation, { type: "check-started", data: { ...about, log: notice.log } });
  if (notice.kind === "ended") {
    const { verdict, evidence, proof, hints = [] } = notice.finding;
    const failing = proof?.kind === "command" ? (proof.failing ?? []) : [];
    const durationMs = proof?.kind === "command" ? proof.duration_ms : 0;
    const found = {
      verdict,
      evidence: evidence.slice(0, MAX_EVIDENCE_LENGTH),
      failing: [...failing],
      durationMs,
      ...(hints.length === 0 ? {} : { hints: [...hints] }),
    };
    await recordEvent(tools, delegation, { type: "check-ended", data: { ...about, ...found } });
  }
  if (notice.kind === "progress" && on === "work") {
    const last = notice.newestLine === "" ? "" : `, last: ${notice.newestLine}`;
    const text = `checking \`${check}\`, ${renderDuration(notice.elapsedMs)}${last}\n`;
    tools.watch({ kind: "output", delegation: delegation.id, text });
  }
}
