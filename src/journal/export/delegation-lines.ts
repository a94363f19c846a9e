import type { JournalEvent } from "../../contract/journal-event.ts";
import { toKnownUsd } from "../../base/money.ts";
import type { OpenDelegation } from "./open-delegation.ts";

export type Line = Readonly<Record<string, unknown>>;

/** The facts about a delegation and its manager at the moment of an event. */
export interface LineFacts {
  readonly event: JournalEvent;
  readonly child: string;
  readonly known: OpenDelegation;
  readonly manager: OpenDelegation | undefined;
}

/** R92, R93: the `status` dialect. One line when an attempt starts, one when the delegation ends. */
export function statusLines({ event, child, known, manager }: LineFacts): readonly Line[] {
  const head = {
    timestamp: event.at,
    parent_story: known.parent,
    child_story: child,
    depth: known.depth,
    parent_id: manager?.executionId ?? "",
    child_id: known.executionId,
  };
  if (event.type === "attempt-started") {
    const { description, estimatedHours } = known;
    const again = event.attempt > 1 ? { attempt: event.attempt } : {};
    return [{ ...head, status: "started", description, estimated_hours: estimatedHours, ...again }];
  }
  if (event.type !== "delegation-closed") return [];
  return [
    {
      ...head,
      status: event.data.outcome,
      duration_ms: durationMs(known, event),
      tokens_in: known.tokensIn,
      tokens_out: known.tokensOut,
      cost_usd: toKnownUsd(known.microUsd),
      files_changed: filesChanged(known, event.data.filesChanged),
      success: event.data.outcome === "completed",
      ...failureFields(event.data, known),
    },
  ];
}

/** From the start of the first attempt; 0 for a delegation that ended without starting. */
export function durationMs(known: OpenDelegation, event: JournalEvent): number {
  if (event.type === "delegation-closed" && event.data.durationMs !== undefined) return event.data.durationMs;
  return known.startedMs === null ? 0 : Math.max(0, Date.parse(event.at) - known.startedMs);
}

export function filesChanged(known: OpenDelegation, atEnd: readonly string[]): readonly string[] {
  return atEnd.length > 0 ? atEnd : known.filesChanged;
}

/** R95: why it did not complete. */
export function failureFields(
  closing: { readonly outcome: string; readonly code: string | null; readonly summary: string },
  { errors }: Pick<OpenDelegation, "errors">,
): Line {
  if (closing.outcome === "completed") return {};
  const code = closing.code ?? errors[0]?.code;
  return {
    ...(code === undefined ? {} : { code }),
    error: closing.summary,
    ...(errors.length === 0 ? {} : { errors }),
  };
}
