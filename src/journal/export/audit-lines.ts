import type { JournalEvent } from "../../contract/journal-event.ts";
import { toKnownUsd } from "../../base/money.ts";
import { durationMs, failureFields, filesChanged, type Line, type LineFacts } from "./delegation-lines.ts";
import type { OpenDelegation } from "./open-delegation.ts";

/** R94, R95: the `event` dialect, about one admitted delegation. */
export function auditLines(facts: LineFacts, hash: string): readonly Line[] {
  const { event, child, known } = facts;
  const timestamp = event.at;
  switch (event.type) {
    case "delegation-admitted":
      return admissionLines(facts, event.data.checks, hash);
    case "workspace-created":
      return [
        {
          timestamp,
          event: "worktree_created",
          child,
          worktree_path: event.data.path,
          branch: event.data.branch,
        },
      ];
    case "attempt-lost":
    case "attempt-retried":
      return [
        {
          timestamp,
          event: formatEventName(event),
          child,
          attempt: event.attempt,
          reason: event.data.reason,
        },
      ];
    case "return-rejected":
      return [
        { timestamp, event: formatEventName(event), child, attempt: event.attempt, codes: event.data.codes },
      ];
    case "delegation-closed":
      return [
        {
          timestamp,
          event: "delegation_completed",
          child,
          success: event.data.outcome === "completed",
          duration_ms: durationMs(known, event),
          files_modified: filesChanged(known, event.data.filesChanged),
          cost_usd: toKnownUsd(known.microUsd),
          ...(event.data.outcome === "completed" ? {} : { outcome: event.data.outcome }),
          ...failureFields(event.data, known),
        },
      ];
    default:
      return [];
  }
}

function admissionLines(
  { event, child, known, manager }: LineFacts,
  checks: readonly string[],
  hash: string,
) {
  return [
    {
      timestamp: event.at,
      event: "delegation_created",
      parent: known.parent,
      child,
      depth: known.depth,
      description: known.description,
      estimated_hours: known.estimatedHours,
      created_by: manager?.executionId ?? "",
      audit_hash: auditHash(hash),
    },
    {
      timestamp: event.at,
      event: "delegation_validated",
      child,
      validation_checks: checks,
      validation_passed: true,
    },
  ];
}

type Refused = Extract<JournalEvent, { type: "delegation-refused" }>;

/** R95: a refusal has no delegation of its own; a cycle among its reasons gets a line with the path. */
export function refusalLines(event: Refused, manager: OpenDelegation | undefined, hash: string): Line[] {
  const { parent, description, agent, failures } = event.data;
  const refusal = {
    timestamp: event.at,
    event: "delegation_refused",
    parent,
    description,
    agent,
    validation_passed: false,
    codes: failures.map(({ code }) => code),
    errors: failures.map(({ code, message }) => ({ code, message })),
    created_by: manager?.executionId ?? "",
    audit_hash: auditHash(hash),
  };
  const cycle = failures.find(({ code }) => code === "CYCLE_DETECTED");
  if (cycle === undefined) return [refusal];
  return [
    refusal,
    {
      timestamp: event.at,
      event: "cycle_detected",
      parent,
      child: agent,
      cycle_path: cyclePath(manager, agent),
      error: cycle.message,
    },
  ];
}

/** Null when the loop was not one of agent names: the journal does not say which task was asked for. */
function cyclePath(manager: OpenDelegation | undefined, agent: string | null): string | null {
  if (agent === null || manager?.path.includes(agent) !== true) return null;
  return `${[...manager.path, agent].join(" → ")} (attempted)`;
}

function formatEventName(event: JournalEvent): string {
  return event.type.replaceAll("-", "_");
}

const AUDIT_HASH_LENGTH = 8;

function auditHash(hash: string): string {
  return hash.slice(0, AUDIT_HASH_LENGTH);
}
