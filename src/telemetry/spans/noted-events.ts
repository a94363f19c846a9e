import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Attributes, SpanEvent } from "./span.ts";
import type { SpanFrame } from "./frame.ts";

/** Momentary events of a delegation: warnings, questions, parking. Codes and ids, no texts. */
export function notedEvents({ events }: SpanFrame): readonly SpanEvent[] {
  return events.flatMap((event) => {
    const attributes = describeNoted(event);
    return attributes === undefined ? [] : [{ name: event.type, atMs: Date.parse(event.at), attributes }];
  });
}

function describeNoted(event: JournalEvent): Attributes | undefined {
  switch (event.type) {
    case "limit-warned":
      return { "ambit.code": event.data.code };
    case "return-rejected":
      return { "ambit.codes": event.data.codes, "ambit.repair": event.data.repair };
    case "delegation-parked":
      return { "ambit.waiting_for": event.data.waitingFor };
    case "cancellation-requested":
      return { "ambit.by": event.data.by };
    case "approval-requested":
      return { "ambit.approval.id": event.data.approvalId, "ambit.approval.kind": event.data.kind };
    case "approval-answered":
      return { "ambit.approval.id": event.data.approvalId, "ambit.approval.answer": event.data.answer };
    case "workspace-created":
      return { "ambit.workspace.duration_ms": Math.round(event.data.durationMs) };
    default:
      return undefined;
  }
}
