import type { JournalEvent } from "../../contract/journal-event.ts";
import type { JournalVerdict } from "../../journal/verify-journal.ts";

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

export interface KeptPromise {
  readonly promise: string;
  readonly evidence: string;
}

/** The five promises, each with the evidence from the journal of this story. */
export function listPromises(
  events: readonly JournalEvent[],
  journal: JournalVerdict,
): readonly KeptPromise[] {
  return [
    { promise: "Nothing hangs", evidence: describeEnds(events) },
    { promise: "Nothing overspends", evidence: describeLimits(events) },
    { promise: "Nothing is lost", evidence: describeKept(events) },
    { promise: "Nothing is merged unproven", evidence: describeProof(events) },
    { promise: "Everything is visible", evidence: describeJournal(journal) },
  ];
}

const tried: Readonly<Record<string, string>> = {
  liar: "A worker claimed success for work that it had not done.",
  budget: "A worker tried to spend more than it was lent.",
  conflict: "A worker left conflict markers in a file and claimed success.",
  crash: "The supervisor was killed with SIGKILL in the middle of the work.",
};

/** One sentence about what went wrong on purpose, and one about what stopped it, read from the journal. */
export function describeTrial(fail: string | undefined, events: readonly JournalEvent[]): string | undefined {
  const what = tried[fail ?? ""];
  if (what === undefined) return undefined;
  if (fail === "crash") {
    const resumed = ofType(events, "attempt-lost").length;
    const merged = ofType(events, "delegation-merged").map(({ delegation }) => delegation);
    const twice = merged.length - new Set(merged).size;
    return `${what} The next one went on from the journal: ${resumed} attempt(s) were begun again, ${twice} merge(s) were made twice.`;
  }
  // The worker that hangs belongs to every demo.
  const stopped = closings(events).filter(
    ({ delegation, story, data }) =>
      delegation !== story && data.outcome !== "completed" && data.outcome !== "timed_out",
  );
  const ends = stopped.map(
    ({ delegation, data }) => `${delegation ?? ""} ended ${data.outcome} (${data.code ?? ""})`,
  );
  return `${what} ${ends.join(", ")}: its work is kept and not merged.`;
}

/** How the story ends with an agent that goes wrong for good. */
export function expectedOutcome(fail: string | undefined): string {
  return fail === undefined || fail === "crash" ? "completed" : "partial";
}

/** Read from the whole journal, because workspaces are freed after the last event that was followed. */
function describeJournal({ events, firstBad }: JournalVerdict): string {
  if (firstBad !== undefined) return `the chain breaks at event ${firstBad.seq}: ${firstBad.reason}`;
  return `${events} events in the journal, each chained to the one before`;
}

function describeEnds(events: readonly JournalEvent[]): string {
  const stopped = closings(events).filter(({ data }) => data.outcome === "timed_out");
  if (stopped.length === 0) return "every wait had a deadline; none was reached";
  return stopped
    .map(({ delegation, data }) => `${delegation ?? ""} hung and was ended (${data.code ?? ""})`)
    .join("; ");
}

function describeLimits(events: readonly JournalEvent[]): string {
  const spent = ofType(events, "usage-reported").reduce((sum, { data }) => sum + data.microUsd, 0);
  const refused = ofType(events, "delegation-refused").flatMap(({ data }) =>
    data.failures.map(({ code }) => code),
  );
  const stopped = closings(events).filter(({ data }) => data.code === "COST_LIMIT_EXCEEDED").length;
  return [
    `$${(spent / 1_000_000).toFixed(2)} (simulated)`,
    ...(refused.length === 0 ? [] : [`refused: ${[...new Set(refused)].join(", ")}`]),
    ...(stopped === 0 ? [] : [`${stopped} stopped at its budget`]),
  ].join("; ");
}

function describeKept(events: readonly JournalEvent[]): string {
  const kept = closings(events).filter(
    ({ data }) => data.outcome !== "completed" && data.filesChanged.length > 0,
  );
  const lost = ofType(events, "attempt-lost").length;
  const branches = kept.map(({ delegation }) => `delegation/${delegation ?? ""}`).join(", ");
  return [
    kept.length === 0 ? "all work is merged" : `unfinished work is on ${branches}`,
    ...(lost === 0 ? [] : [`${lost} attempt(s) cut off by the kill were resumed`]),
  ].join("; ");
}

function describeProof(events: readonly JournalEvent[]): string {
  const red = ofType(events, "criterion-checked").filter(({ data }) => data.verdict === "failed").length;
  const repaired = ofType(events, "return-rejected").length;
  const conflicts = ofType(events, "merge-refused").length;
  const merged = ofType(events, "delegation-merged").length;
  return `${merged} merges, each checked on the merged tree; ${red} red check(s), ${conflicts} conflict(s) and ${repaired} invalid return(s) were held back`;
}

function closings(events: readonly JournalEvent[]): readonly EventOf<"delegation-closed">[] {
  return ofType(events, "delegation-closed");
}

function ofType<Type extends JournalEvent["type"]>(
  events: readonly JournalEvent[],
  type: Type,
): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}
