import { dirname, join } from "node:path";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { validateReturnBytes } from "../../contract/validate-return.ts";
import type { Delegation } from "../../journal/store.ts";
import { nameAttemptFiles, readReturnFile } from "../../orchestrator/attempt-files.ts";
import type { HandBack } from "./types/delegation.ts";
import { parseTime } from "./story-summary.ts";

const MAX_SHOWN_BYTES = 256 * 1024;

/**
 * The return of the newest attempt. It is validated against the contract again, without looking for its files: the
 * journal says what counted at the time.
 */
export function readHandBack(
  stateDirectory: string,
  delegation: Delegation,
  events: readonly JournalEvent[],
): HandBack {
  const recorded = { accepted: findAccepted(events), rejected: listRejected(events) };
  const source = findReturn(stateDirectory, delegation);
  if (source === undefined) {
    const status = recorded.accepted === null ? "absent" : "valid";
    return { status, raw: "", isCut: false, problems: [], ...recorded };
  }
  const verdict = validateReturnBytes(source.bytes, {
    session: delegation.sessionId,
    depth: delegation.depth,
    path: delegation.path,
    totalBytes: source.totalBytes,
  });
  const isUnread = verdict.codes.some((code) => unreadCodes.has(code));
  return {
    status: verdict.valid ? "valid" : isUnread ? "unread" : "invalid",
    raw: Buffer.from(source.bytes).toString("utf8", 0, MAX_SHOWN_BYTES),
    isCut: source.totalBytes > MAX_SHOWN_BYTES,
    problems: verdict.valid ? [] : verdict.problems.map(describeProblem),
    ...recorded,
  };
}

const unreadCodes: ReadonlySet<string> = new Set(["NOT_JSON", "NOT_AN_OBJECT", "TRUNCATED"]);

function describeProblem({ code, message }: { readonly code: string; readonly message: string }) {
  return { code, message, recommendation: "" };
}

function findReturn(stateDirectory: string, { id, attempt, workspace }: Delegation) {
  const own = readReturnFile(nameAttemptFiles(stateDirectory, { id, attempt }).returnFile);
  if (own !== undefined || workspace?.isolation !== "sandbox") return own;
  const outbox = join(dirname(workspace.path), "outbox");
  return readReturnFile(nameAttemptFiles(stateDirectory, { id, attempt, outbox }).returnFile);
}

function findAccepted(events: readonly JournalEvent[]): HandBack["accepted"] {
  const event = events.findLast(({ type }) => type === "delegation-returned");
  if (event?.type !== "delegation-returned") return null;
  const { status, summary, artifacts, errors = [], nextSteps = "" } = event.data;
  return { status, summary, artifacts, errors, nextSteps };
}

function listRejected(events: readonly JournalEvent[]): HandBack["rejected"] {
  return events.flatMap((event) =>
    event.type === "return-rejected" ? [{ atMs: parseTime(event.at), codes: event.data.codes }] : [],
  );
}
