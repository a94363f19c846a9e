import { countThings } from "../../base/count-things.ts";
import { formatUsd } from "../../base/money.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { JournalVerdict } from "../../journal/verify-journal.ts";

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

export interface KeptPromise {
  readonly promise: string;
  readonly evidence: string;
}

/** Everything that happened while the demo was played. */
export interface Recording {
  readonly events: JournalEvent[];
  /** Supervisors that were killed with SIGKILL, and the newest event at that moment. */
  readonly kills: { readonly pid: number; readonly afterSeq: number }[];
}

export type ReadProcess = (
  id: string,
  attempt: number,
) => { readonly pid: number; readonly isGone: boolean } | undefined;

export interface DemoFacts extends Recording {
  readonly journal: JournalVerdict;
  readonly readProcess: ReadProcess;
}

/** The five promises, each with facts that can be checked. */
export function listPromises(facts: DemoFacts): readonly KeptPromise[] {
  const { events } = facts;
  return [
    { promise: "Nothing hangs", evidence: describeEnds(facts) },
    { promise: "Nothing overspends", evidence: describeLimits(events) },
    { promise: "Nothing is lost", evidence: describeKept(facts) },
    { promise: "Nothing is merged unproven", evidence: describeProof(events) },
    { promise: "Everything is visible", evidence: describeJournal(facts.journal) },
  ];
}

const tried: Readonly<Record<string, string>> = {
  liar: "A worker claimed success for work that it had not done",
  budget: "A worker tried to spend more than it was lent",
  conflict: "A worker left conflict markers in a file and claimed success",
  crash: "The supervisor was killed with SIGKILL in the middle of the work",
};

/** One sentence: what was tried on purpose, and what stopped it, read from the journal. */
export function describeTrial(fail: string | undefined, { events, kills }: Recording): string | undefined {
  const what = tried[fail ?? ""];
  if (what === undefined) return undefined;
  if (fail === "crash") {
    const resumed = ofType(events, "attempt-lost").length;
    const merged = ofType(events, "delegation-merged").map(({ delegation }) => delegation);
    const twice = merged.length - new Set(merged).size;
    return `${what} ${times(kills.length)}; the next one continued from the journal each time: ${countThings(resumed, "turn")} repeated, ${countThings(twice, "merge")} made twice.`;
  }
  // Only the manager's own workers count; the two that are stopped below one of them belong to every demo.
  const stopped = closings(events).find(
    ({ delegation, story, data }) =>
      data.outcome !== "completed" && delegation?.slice(story.length).split("-DEL-").length === 2,
  );
  if (stopped === undefined) return `${what}; nothing stopped it.`;
  const { delegation, data } = stopped;
  return `${what}: ${delegation ?? ""} ended ${data.outcome} (${data.code ?? ""}), and its work is kept, not merged.`;
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

function describeEnds({ events, readProcess }: DemoFacts): string {
  const stopped = closings(events).filter(({ data }) => data.outcome === "timed_out");
  if (stopped.length === 0) return "every wait had a deadline; none was reached";
  return stopped
    .map(({ delegation, attempt, data }) => {
      const process = readProcess(delegation ?? "", attempt ?? 1);
      const end =
        process === undefined
          ? ""
          : `; its process ${process.pid} is ${process.isGone ? "gone" : "STILL THERE"}`;
      return `${delegation ?? ""} hung and was ended (${data.code ?? ""})${end}`;
    })
    .join("; ");
}

function describeLimits(events: readonly JournalEvent[]): string {
  const refused = ofType(events, "delegation-refused").flatMap(({ data }) =>
    data.failures.map(({ code }) => code),
  );
  const stopped = closings(events).filter(({ data }) => data.code === "COST_LIMIT_EXCEEDED");
  return [
    ...stopped.map(({ delegation }) => describeStop(events, delegation)),
    ...(refused.length === 0 ? [] : [`refused before it began: ${[...new Set(refused)].join(", ")}`]),
    `${formatUsd(sumSpent(events))} in all (simulated)`,
  ].join("; ");
}

/** The budget it was lent, and the report at which it was stopped. */
function describeStop(events: readonly JournalEvent[], id: string | null): string {
  const lent = ofType(events, "delegation-admitted").find(({ delegation }) => delegation === id)?.data
    .budgetMicroUsd;
  const spent = sumSpent(events.filter(({ delegation }) => delegation === id));
  const of = lent === null || lent === undefined ? "" : ` of ${formatUsd(lent)}`;
  return `${id ?? ""} was stopped at ${formatUsd(spent)}${of} (COST_LIMIT_EXCEEDED), while it worked`;
}

function sumSpent(events: readonly JournalEvent[]): number {
  return ofType(events, "usage-reported").reduce((sum, { data }) => sum + data.microUsd, 0);
}

function describeKept({ events, kills }: DemoFacts): string {
  const kept = closings(events).filter(
    ({ data }) => data.outcome !== "completed" && data.filesChanged.length > 0,
  );
  const lost = ofType(events, "attempt-lost").length;
  const branches = kept.map(({ delegation }) => `delegation/${delegation ?? ""}`).join(", ");
  return [
    ...kills.map(({ pid, afterSeq }) => `supervisor ${pid} was killed with SIGKILL after event ${afterSeq}`),
    ...(lost === 0 ? [] : [`${countThings(lost, "turn")} cut off by it and repeated`]),
    kept.length === 0 ? "all work is merged" : `unfinished work is on ${branches}`,
  ].join("; ");
}

function describeProof(events: readonly JournalEvent[]): string {
  const red = ofType(events, "criterion-checked").filter(({ data }) => data.verdict === "failed");
  // A worker that was stopped has handed in nothing.
  const repaired = ofType(events, "return-rejected").filter(
    ({ data }) => !data.codes.includes("INTERRUPTED"),
  ).length;
  const conflicts = ofType(events, "merge-refused").length;
  const merged = ofType(events, "delegation-merged").length;
  const held = `${countThings(red.length, "red check")}, ${countThings(conflicts, "conflict")} and ${countThings(repaired, "invalid return")} were held back`;
  return [`${merged} merges, each checked on the merged tree; ${held}`, ...describeLie(events, red)].join(
    "; ",
  );
}

/** The claim of a worker, next to the result of its check. */
function describeLie(
  events: readonly JournalEvent[],
  red: readonly EventOf<"criterion-checked">[],
): readonly string[] {
  const [first] = red;
  if (first === undefined) return [];
  const claim = ofType(events, "delegation-returned").findLast(
    ({ delegation, seq, data }) =>
      delegation === first.delegation && seq < first.seq && data.status === "completed",
  );
  if (claim === undefined) return [];
  return [`${first.delegation ?? ""} said "${claim.data.summary}", its check said: failed`];
}

function times(amount: number): string {
  return amount === 1 ? "once" : amount === 2 ? "twice" : `${amount} times`;
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
