import type { JournalEvent } from "../../contract/journal-event.ts";

/** Something that went wrong on the way, as the journal has it. */
export interface Problem {
  readonly at: string;
  readonly delegation: string;
  readonly attempt: number;
  readonly code: string | null;
  readonly message: string;
}

/** Every setback, oldest first: lost and failed attempts, refused returns and merges, warnings, retries. */
export function problemsOf(events: readonly JournalEvent[]): readonly Problem[] {
  return events.flatMap((event) => {
    const told = describe(event);
    if (told === undefined) return [];
    const { at, delegation, story, attempt } = event;
    return [{ at, delegation: delegation ?? story, attempt, ...told }];
  });
}

function describe(event: JournalEvent): Pick<Problem, "code" | "message"> | undefined {
  switch (event.type) {
    case "attempt-lost":
      return { code: null, message: `the attempt was lost: ${event.data.reason}` };
    case "attempt-ended": {
      const { code, reason, exitCode } = event.data;
      if (code === null && exitCode === 0) return undefined;
      const how = exitCode === null ? reason : `${reason} with exit code ${exitCode}`;
      return { code, message: `the agent's process ended: ${how}` };
    }
    case "return-rejected": {
      const [first = null, ...more] = event.data.codes;
      const others = more.length === 0 ? "" : ` (also ${more.join(", ")})`;
      return { code: first, message: `its return violates the contract${others}` };
    }
    case "attempt-retried":
      return { code: null, message: describeRetry(event.data) };
    case "merge-refused":
    case "limit-warned":
      return { code: event.data.code, message: event.data.message };
    case "cancellation-requested":
      return { code: null, message: `stopped by ${event.data.by}: ${event.data.reason}` };
    default:
      return undefined;
  }
}

/** The rest of a hand-over's reason is meant for the agent that takes over. */
function describeRetry({ reason, kind, handedTo }: EventOf<"attempt-retried">["data"]): string {
  const [why = ""] = kind === "handover" ? reason.split("; you take its place.") : [reason];
  return handedTo === undefined ? `another attempt was made: ${why}` : `${handedTo.agent} takes over: ${why}`;
}

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

/** A delegation that was asked for and not admitted. */
export interface Refused {
  readonly at: string;
  readonly parent: string;
  readonly description: string;
  readonly failures: readonly { readonly code: string; readonly message: string }[];
}

export function refusalsOf(events: readonly JournalEvent[]): readonly Refused[] {
  return events.flatMap((event) => {
    if (event.type !== "delegation-refused") return [];
    const { parent, description, failures } = event.data;
    return [{ at: event.at, parent, description, failures }];
  });
}
