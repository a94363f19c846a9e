import { readMachineName } from "../../../src/contract/machine-owner.ts";
import type { Disturbance, RunFacts } from "./run-facts.ts";

type LossFacts = Pick<RunFacts, "events" | "disturbances">;

export interface Loss {
  readonly delegation: string;
  readonly attempt: number;
  readonly machine: string;
  readonly lostAt: number;
  /** What it was lost to; undefined where nothing was done to its machine. */
  readonly disturbance: Disturbance | undefined;
  /** When the next attempt began. */
  readonly againAt: number | undefined;
}

/** An attempt's first event may be told after the machine was disturbed. */
const SLACK_MS = 1000;

/** An attempt is lost only because something was done to its machine: never because of the coordinator. */
export function judgeLosses(facts: LossFacts): readonly string[] {
  return listLosses(facts)
    .filter(({ disturbance }) => disturbance === undefined)
    .map(
      ({ delegation, attempt, machine }) =>
        `${delegation}.${attempt} was lost, and nothing was done to ${machine}`,
    );
}

export function listLosses({ events, disturbances }: LossFacts): readonly Loss[] {
  const running = new Map<string, { machine: string; at: number }>();
  const open = new Map<string, Loss>();
  const losses: Loss[] = [];
  for (const { type, delegation, attempt, data, at } of events) {
    if (delegation === null) continue;
    const ms = Date.parse(at);
    if (type === "attempt-started") {
      const loss = open.get(delegation);
      if (loss !== undefined) losses.push({ ...loss, againAt: ms });
      open.delete(delegation);
      running.set(delegation, { machine: readMachineName(data.owner) ?? "", at: ms });
    }
    if (type !== "attempt-lost") continue;
    const { machine = "", at: begunAt = ms } = running.get(delegation) ?? {};
    const disturbance = disturbances.findLast(
      (one) => one.name === machine && one.at <= ms && one.at >= begunAt - SLACK_MS,
    );
    open.set(delegation, { delegation, attempt, machine, lostAt: ms, disturbance, againAt: undefined });
  }
  return [...losses, ...open.values()];
}
