import type { JournalEvent } from "../contract/journal-event.ts";
import { readMachineName } from "../contract/machine-owner.ts";
import type { Delegation } from "../journal/store.ts";
import { toKnownUsd } from "../base/money.ts";
import { sumWithWorkers } from "./figures/sum-with-workers.ts";
import { measureStages, stages } from "./events/stage-spans.ts";

/**
 * Why a delegation exists, which guards it passed and what it cost, as the journal knows it.
 * `events` are those of the delegation itself, `tree` the delegations of its story.
 */
export function explainDelegation(
  delegation: Delegation,
  { events, tree }: { readonly events: readonly JournalEvent[]; readonly tree: readonly Delegation[] },
) {
  const admitted = events.find((event) => event.type === "delegation-admitted")?.data;
  return {
    route: {
      agent: delegation.agent,
      adapter: delegation.work?.adapter ?? null,
      model: delegation.work?.model ?? null,
      asked_by: delegation.parent,
      reasons: findRouteReasons(delegation, events),
    },
    guards: { passed: admitted?.checks ?? [], warnings: admitted?.warnings ?? [] },
    spent: {
      cost_usd: toKnownUsd(delegation.microUsd),
      with_workers_usd: toKnownUsd(sumWithWorkers(tree).get(delegation.id) ?? 0),
      tokens_in: delegation.inputTokens + delegation.cachedTokens,
      tokens_out: delegation.outputTokens,
      estimated: delegation.estimated,
      attempts: listAttempts(events),
      stage_ms: sumStageTimes(delegation, events),
    },
  };
}

/** Notes written before the first attempt explain the route. */
function findRouteReasons(
  { agent, parent, parentAttempt }: Delegation,
  events: readonly JournalEvent[],
): readonly string[] {
  const began = events.findIndex(({ type }) => type === "attempt-started");
  const early = began < 0 ? events : events.slice(0, began);
  const notes = early.flatMap((event) =>
    event.type === "note-added" && event.data.unserved === undefined ? [event.data.text] : [],
  );
  if (parent === null) return notes;
  const does = agent === null ? "no agent was named, so it uses its manager's adapter" : `${agent} does it`;
  const who = `attempt ${parentAttempt} of ${parent} asked for it; ${does}`;
  return [who, ...notes];
}

function listAttempts(events: readonly JournalEvent[]) {
  const started = events.filter((event) => event.type === "attempt-started");
  return started.map(({ attempt, data: { owner } }) => {
    const own = events.filter((event) => event.attempt === attempt);
    const ended = own.find((event) => event.type === "attempt-ended")?.data;
    const isLost = own.some(({ type }) => type === "attempt-lost");
    const microUsd = own.reduce(
      (sum, event) => sum + (event.type === "usage-reported" ? event.data.microUsd : 0),
      0,
    );
    return {
      attempt,
      duration_ms: ended === undefined ? null : Math.round(ended.durationMs),
      cost_usd: toKnownUsd(microUsd),
      ended: ended === undefined ? (isLost ? "lost" : null) : (ended.code ?? ended.reason),
      machine: readMachineName(owner) ?? null,
    };
  });
}

function sumStageTimes(
  { id, story }: Delegation,
  events: readonly JournalEvent[],
): Readonly<Record<string, number>> {
  // Without its story id, the root of a story is measured like any other delegation.
  const alone = events.map((event) => ({ ...event, story: id === story ? "" : event.story }));
  const spans = measureStages(alone).get(id)?.spans ?? [];
  return Object.fromEntries(
    stages.flatMap((stage) => {
      const times = spans.filter((span) => span.stage === stage).map(({ durationMs }) => durationMs);
      return times.length === 0 ? [] : [[stage, Math.round(times.reduce((sum, time) => sum + time, 0))]];
    }),
  );
}
