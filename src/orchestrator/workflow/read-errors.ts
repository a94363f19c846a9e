import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import type { Delegation, StoredEvent, StoreReader } from "../../journal/store.ts";
import { findTrouble } from "../running/judge/troubles.ts";
import { readWorkflowFacts } from "../delegation/kind.ts";

/** One line of errors.json (R54, R100, R199). */
export interface ErrorRecord {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly at: string;
  readonly session_id: string | null;
  readonly command: string | null;
  readonly subagent: string | null;
  readonly task_number: number | string | null;
  readonly timeout: number | null;
  readonly story: string;
  readonly delegation_id: string | null;
  readonly recoverable: boolean;
  readonly recommendation: string;
  /** The return that was rejected, as the worker left it. */
  readonly original_return: string | null;
}

export interface ErrorQuestion {
  readonly story?: string;
  /** How far back to look, in events. */
  readonly events: number;
}

/** All errors, oldest first: rejected returns, work that did not complete, refused requests. */
export async function readErrors(
  reader: StoreReader,
  { story, events }: ErrorQuestion,
): Promise<readonly ErrorRecord[]> {
  const stored = await reader.newestEvents(events, story === undefined ? {} : { story });
  const known = new Map<string, Promise<Delegation | undefined>>();
  const find = (id: string): Promise<Delegation | undefined> => {
    const found = known.get(id) ?? reader.delegation(id);
    known.set(id, found);
    return found;
  };
  const records: ErrorRecord[] = [];
  for (const event of withoutEchoes(stored.filter(mayBeError).map(parseEvent)))
    records.push(...(await buildRecords(event, find)));
  return records;
}

/** Without the ends that repeat why the return was rejected: the rejection says more, and is one error with them. */
function withoutEchoes(events: readonly JournalEvent[]): readonly JournalEvent[] {
  const rejections = new Map<string, string | undefined>();
  return events.filter(({ story, delegation, type, data }) => {
    const id = delegation ?? story;
    if (type === "return-rejected") rejections.set(id, data.codes[0]);
    return type !== "delegation-closed" || data.code === null || data.code !== rejections.get(id);
  });
}

/** Most events do not matter, and parsing one costs more than searching for its type. */
function mayBeError({ body }: StoredEvent): boolean {
  return ["return-rejected", "delegation-closed", "delegation-refused"].some((type) => body.includes(type));
}

function parseEvent({ body }: StoredEvent): JournalEvent {
  return journalEventSchema.parse(JSON.parse(body));
}

type Find = (id: string) => Promise<Delegation | undefined>;

async function buildRecords(event: JournalEvent, find: Find): Promise<readonly ErrorRecord[]> {
  const { story, at, attempt } = event;
  const root = await find(story);
  const facts = root === undefined ? undefined : readWorkflowFacts(root);
  const who = await find(
    event.type === "delegation-refused" ? event.data.parent : (event.delegation ?? story),
  );
  // A command ends like its one worker; reporting both would count the error twice.
  if (facts !== undefined && who?.parent === null) return [];
  const isRejected = event.type === "return-rejected";
  const task = facts?.task ?? null;
  const about = {
    at,
    story,
    session_id: who?.sessionId ?? null,
    command: facts?.command ?? null,
    subagent: who?.agent ?? null,
    task_number: task !== null && /^\d{1,15}$/.test(task) ? Number(task) : task,
    timeout: who?.timeoutSeconds ?? null,
    delegation_id: who?.id ?? null,
    original_return: isRejected ? `.git/ambit/logs/${who?.id ?? story}/attempt-${attempt}/return.json` : null,
  };
  return describeErrors(event, who).map((found) => Object.assign({}, found, about));
}

type Described = Pick<ErrorRecord, "type" | "code" | "message" | "recoverable" | "recommendation">;

function describeErrors(event: JournalEvent, who: Delegation | undefined): readonly Described[] {
  if (event.type === "return-rejected") {
    const { codes } = event.data;
    const message = `Its return was rejected: ${codes.join(", ")}`;
    const recommendation = `Fix ${who?.agent ?? "agent"} subagent return format`;
    return [{ type: "validation", code: codes[0] ?? "NOT_JSON", message, recoverable: true, recommendation }];
  }
  if (event.type === "delegation-refused") return [describeRefusal(event, who)];
  if (event.type !== "delegation-closed") return [];
  const { outcome, code, summary } = event.data;
  if (outcome === "completed" || outcome === "cancelled") return [];
  // Without a code of the runtime, the worker's own words say what went wrong.
  if (code === null && who !== undefined && who.errors.length > 0) return who.errors;
  const named = code ?? "UNKNOWN_ERROR";
  const recommendation =
    findTrouble(named)?.next ?? `See why with ambit explain ${event.delegation ?? event.story}.`;
  const type = classifyCode(named);
  return [{ type, code: named, message: summary, recoverable: outcome !== "failed", recommendation }];
}

type Refused = Extract<JournalEvent, { type: "delegation-refused" }>;

/** A cycle is reported with its path (R65), so that it can be broken. */
function describeRefusal({ data }: Refused, who: Delegation | undefined): Described {
  const code = data.failures[0]?.code ?? "UNKNOWN_ERROR";
  const path = [...(who?.path ?? []), data.agent ?? "?"].join(" → ");
  const message =
    code === "CYCLE_DETECTED"
      ? `Cycle detected: ${path}`
      : data.failures.map((failure) => failure.message).join("; ");
  const recommendation = "Do the work without delegating it, or raise the limit it names.";
  return { type: "refused", code, message, recoverable: true, recommendation };
}

/** The words of R43; the list is open. */
function classifyCode(code: string): string {
  if (code === "TIMEOUT" || code === "STALLED") return "timeout";
  if (code === "AGENT_NEEDS_PERMISSION" || code === "SENSITIVE_PATHS") return "permission";
  if (code === "AGENT_NOT_INSTALLED" || code === "AGENT_NOT_LOGGED_IN") return "tool_unavailable";
  const isContract =
    /^(?:NOT_JSON|TRUNCATED|NOT_AN_OBJECT|MISSING_|INVALID_|SESSION_|SUMMARY_|ERRORS_|ARTIFACT_|INTERRUPTED)/;
  return isContract.test(code) ? "validation" : "execution";
}
