import { readFileSync } from "node:fs";
import type { JournalEvent } from "../../../src/contract/journal-event.ts";
import { percentilesOf } from "../percentiles.ts";
import type { Trouble } from "./repeats.ts";
import { idsOf, nameParts } from "./run-facts.ts";

interface StageFacts {
  readonly events: readonly JournalEvent[];
  readonly log: string;
  /** Times in which nothing could start, for whatever reason. */
  readonly full: readonly Trouble[];
}

/** How long a part took from stage to stage, in milliseconds. What waited for a slot, or was lost, is left out of the first one. */
export function measureStages({ events, log, full }: StageFacts): readonly string[] {
  const parts = new Set(idsOf(events, ["delegation-admitted"]));
  const at = new Map<string, number>();
  for (const { type, delegation, attempt, at: when } of events)
    if (delegation !== null && parts.has(delegation)) {
      const time = Date.parse(when);
      at.set(`${delegation} ${type}`, time);
      at.set(`${delegation}.${attempt} ${type}`, time);
    }
  const newest = new Map<string, number>();
  for (const { type, delegation, attempt } of events)
    if (type === "attempt-started" && delegation !== null) newest.set(delegation, attempt);
  const said = readWords(log, nameParts(events));
  const between = (from: (id: string) => number | undefined, to: (id: string) => number | undefined) =>
    [...parts].flatMap((id) => {
      const [one, other] = [from(id), to(id)];
      return one === undefined || other === undefined ? [] : [other - one];
    });
  const admitted = (id: string): number | undefined => at.get(`${id} delegation-admitted`);
  const first = (id: string): number | undefined => at.get(`${id}.1 attempt-started`);
  const isFree = (id: string): boolean =>
    !full.some(({ from, to }) => from <= (first(id) ?? 0) && to >= (admitted(id) ?? 0));
  const word = (name: string) => (id: string) => said.get(`${id}.${newest.get(id)} ${name}`);
  const event = (type: string) => (id: string) => at.get(`${id} ${type}`);
  const started = (id: string): number | undefined => at.get(`${id}.${newest.get(id)} attempt-started`);
  const rows: readonly (readonly [string, readonly number[]])[] = [
    ["added to started, with room", between((id) => (isFree(id) ? admitted(id) : undefined), first)],
    ["started to agent", between(started, word("begin"))],
    ["agent to work at the hub", between(word("end"), event("work-kept"))],
    ["hub to merged", between(event("work-kept"), event("delegation-merged"))],
    ["merged to closed", between(event("delegation-merged"), event("delegation-closed"))],
  ];
  return rows.map(([name, values]) => {
    const { p50, p99 } = percentilesOf(values);
    return `${name}: ${values.length}, p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms`;
  });
}

function readWords(log: string, names: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const said = new Map<string, number>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [name = "", attempt, word, at] = line.split(" ");
    const id = names.get(name);
    if (id !== undefined && word !== "tick") said.set(`${id}.${attempt} ${word}`, Number(at));
  }
  return said;
}
