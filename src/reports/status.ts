import { delegationStatus, type DelegationStatus } from "../journal/delegation-status.ts";
import type { OutlinedDelegation, Story } from "../journal/store.ts";
import { toKnownUsd } from "../base/money.ts";

const statusGroups = ["needsYou", "working", "queued", "done"] as const;
export type StatusGroup = (typeof statusGroups)[number];

export interface StatusReport {
  readonly story: string;
  readonly title: string;
  readonly status: DelegationStatus;
  readonly groups: Readonly<Record<StatusGroup, readonly OutlinedDelegation[]>>;
  readonly delegations: number;
  readonly ended: number;
  readonly microUsd: number;
  readonly isEstimated: boolean;
}

/** Facts about delegations besides their own rows. */
interface StatusFacts {
  /** Those with an open question. */
  readonly asking?: ReadonlySet<string>;
  /** Those that no machine of a cluster can begin. */
  readonly unserved?: ReadonlySet<string>;
}

/**
 * One story at a glance. Its root is in a group only if it needs a person or a machine. Finished delegations are sorted by
 * when they ended, all others by admission.
 */
export function buildStatus(
  story: Story,
  delegations: readonly OutlinedDelegation[],
  { asking = new Set(), unserved = new Set() }: StatusFacts = {},
): StatusReport {
  const root = delegations.find(({ depth }) => depth === 0);
  const groups: Record<StatusGroup, OutlinedDelegation[]> = {
    needsYou: [],
    working: [],
    queued: [],
    done: [],
  };
  for (const delegation of delegations) {
    const group = asking.has(delegation.id) ? "needsYou" : chooseStatusGroup(delegation, root);
    if (delegation !== root || group === "needsYou" || unserved.has(delegation.id))
      groups[group].push(delegation);
  }
  groups.done.sort((one, other) => readClosedAtMs(one) - readClosedAtMs(other));
  const workers = delegations.filter(({ depth }) => depth > 0);
  return {
    story: story.id,
    title: story.title,
    status: root === undefined ? "pending" : delegationStatus(root),
    groups,
    delegations: workers.length,
    ended: workers.filter(({ outcome }) => outcome !== null).length,
    microUsd: delegations.reduce((sum, { microUsd }) => sum + microUsd, 0),
    isEstimated: delegations.some(({ estimated }) => estimated),
  };
}

/**
 * A blocked worker needs a person only while its story is open. Afterwards its manager has found a way without it, or
 * the story itself ended unfinished and needs the person instead.
 */
function chooseStatusGroup(
  delegation: OutlinedDelegation,
  root: OutlinedDelegation | undefined,
): StatusGroup {
  const status = delegationStatus(delegation);
  if (status === "pending") return "queued";
  if (status === "running") return "working";
  if (delegation === root) return status === "completed" || status === "cancelled" ? "done" : "needsYou";
  return status === "blocked" && root?.outcome === null ? "needsYou" : "done";
}

function readClosedAtMs({ closedAt }: OutlinedDelegation): number {
  return closedAt === null ? 0 : Date.parse(closedAt);
}

/** The provider whose account was full when it last ran, and when it is asked again; undefined when none is waited for. */
function findProviderHold({
  state,
  turn,
}: OutlinedDelegation): { readonly provider: string; readonly until: string } | undefined {
  if (state !== "queued" || turn.heldBy === null) return undefined;
  return { provider: turn.heldBy, until: new Date(turn.notBeforeMs).toISOString() };
}

/** The wire form of a status report. */
export function buildStatusDocument(report: StatusReport) {
  const { needsYou, working, queued, done } = report.groups;
  return {
    story: report.story,
    title: report.title,
    status: report.status,
    total_delegations: report.delegations,
    ended: report.ended,
    total_cost_usd: toKnownUsd(report.microUsd),
    estimated: report.isEstimated,
    needs_you: needsYou.map(entryDocument),
    working: working.map(entryDocument),
    queued: queued.map(entryDocument),
    done: done.map(entryDocument),
  };
}

function entryDocument(delegation: OutlinedDelegation) {
  return {
    id: delegation.id,
    description: delegation.description,
    depth: delegation.depth,
    status: delegationStatus(delegation),
    state: delegation.state,
    code: delegation.code,
    summary: delegation.summary,
    agent: delegation.agent,
    attempt: delegation.attempt,
    waits_for_provider: findProviderHold(delegation)?.provider ?? null,
    not_before: findProviderHold(delegation)?.until ?? null,
    cost_usd: toKnownUsd(delegation.microUsd),
    estimated: delegation.estimated,
    started_at: delegation.startedAt,
    duration_ms: delegation.durationMs,
  };
}
