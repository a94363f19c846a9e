import type { KeptError } from "../../contract/agent-return.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";

/** The facts from earlier events that later lines about a delegation need; dropped once it has ended. */
export interface OpenDelegation {
  readonly parent: string | null;
  readonly depth: number;
  readonly description: string;
  readonly estimatedHours: number | null;
  readonly path: readonly string[];
  /** The execution id of the newest attempt. */
  readonly executionId: string;
  readonly startedMs: number | null;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly microUsd: number;
  readonly filesChanged: readonly string[];
  /** The errors that its newest return reports. */
  readonly errors: readonly KeptError[];
}

const unused = {
  startedMs: null,
  tokensIn: 0,
  tokensOut: 0,
  microUsd: 0,
  filesChanged: [],
  errors: [],
} as const;

/** The facts after an event; `known` is undefined before the first event about this delegation. */
export function applyToOpen(
  known: OpenDelegation | undefined,
  event: JournalEvent,
): OpenDelegation | undefined {
  if (event.type === "story-opened") {
    const { title: description, path } = event.data;
    return { ...unused, parent: null, depth: 0, description, estimatedHours: null, path, executionId: "" };
  }
  if (event.type === "delegation-admitted") {
    const { parent, depth, description, estimatedHours, path, executionId } = event.data;
    return { ...unused, parent, depth, description, estimatedHours, path, executionId };
  }
  return known === undefined ? undefined : advanceKnown(known, event);
}

function advanceKnown(known: OpenDelegation, event: JournalEvent): OpenDelegation {
  switch (event.type) {
    case "attempt-started":
      return {
        ...known,
        executionId: event.data.executionId,
        startedMs: known.startedMs ?? Date.parse(event.at),
      };
    case "usage-reported":
      return {
        ...known,
        tokensIn: known.tokensIn + event.data.inputTokens + event.data.cachedTokens,
        tokensOut: known.tokensOut + event.data.outputTokens,
        microUsd: known.microUsd + event.data.microUsd,
      };
    case "delegation-returned":
      return { ...known, errors: event.data.errors ?? [] };
    case "delegation-merged":
      return { ...known, filesChanged: event.data.filesChanged };
    default:
      return known;
  }
}
