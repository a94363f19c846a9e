import { setTimeout as delay } from "node:timers/promises";
import { DelegationError } from "../../base/delegation-error.ts";
import { clusterErrors } from "../../errors/cluster.ts";

const FORBIDDEN = new Set(["42501", "28P01", "28000"]);
/** The schema, one of its tables or one of its functions is missing. */
const NOT_SET_UP = new Set(["3F000", "42P01", "42883"]);
const READ_ONLY = "25006";
/** Raised by our own function. */
const TAKEN_OVER = "AM403";
const NO_DATABASE = "3D000";
/** Raised by our own function: another process appended after the connection with the lock was lost. */
const OVERTAKEN = "AM409";

/** The SQLSTATE of an error, or Node's own code. */
function readCode(error: unknown): string {
  const inner = error instanceof DelegationError ? error.cause : error;
  return typeof inner === "object" && inner !== null && "code" in inner ? String(inner.code) : "";
}

/**
 * Whether the connection is gone or the server is stopping or has undone the transaction by itself. The same step may
 * succeed on a new connection.
 */
export function isLost(error: unknown): boolean {
  const cause = error instanceof DelegationError ? error.cause : error;
  if (error instanceof DelegationError && error.code !== "CLUSTER_UNREACHABLE") return false;
  if (!(cause instanceof Error)) return false;
  const code = readCode(cause);
  // 08 connection, 25P03 idle in transaction, 40 undone, 53 no room for connections, 57P stopping; none: the socket.
  return (
    code === "25P03" || code === OVERTAKEN || !/^[0-9A-Z]{5}$/.test(code) || /^(08|40|53|57P)/.test(code)
  );
}

export function explainPgError(error: unknown, place: string): unknown {
  if (error instanceof DelegationError) return error;
  const code = readCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (FORBIDDEN.has(code)) return clusterErrors.forbidden(place, error);
  if (NOT_SET_UP.has(code)) return clusterErrors.notSetUp(place);
  if (code === TAKEN_OVER) return clusterErrors.runsElsewhere("that has taken it over");
  if (code === READ_ONLY) return clusterErrors.unsuitable(place, "it only reads; this may be a standby");
  if (message.includes("startup parameter"))
    return clusterErrors.unsuitable(place, "a pooler refuses the settings of the session");
  return isLost(error) || code === NO_DATABASE ? clusterErrors.unreachable(place, error) : error;
}

const PATIENCE_MS = 60_000;
const MAX_PAUSE_MS = 1000;

/** Repeats a step while the connection is lost, for a minute. The step itself must find out what it did before. */
export async function repeatWhileLost<Result>(step: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let pause = 10; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      if (!isLost(error) || performance.now() > giveUpAt) throw error;
    }
    await delay(pause * (1 + Math.random()));
  }
}
