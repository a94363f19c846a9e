import { findListener, isListenedOn } from "../../containment/find-listener.ts";
import { isInsideRun } from "../../containment/inside-run.ts";
import type { Service } from "../../containment/forward-services.ts";
import { probeNetwork } from "../../containment/probe-network.ts";
import { findTakenPort } from "../../verification/find-taken-port.ts";
import { findUnreached } from "../../verification/find-unreached.ts";

/**
 * Lists, each in one sentence, what the output of a failed check shows about ports and services. `services` is the
 * setting, or "sandbox" for a check in a sandbox without the network.
 */
export async function explainNetwork(
  output: string,
  services: readonly Service[] | "sandbox" | null,
): Promise<readonly string[]> {
  if (services === "sandbox") return describeOwnPort(output);
  const port = findTakenPort(output);
  if (services === null && port === undefined) return [];
  const canHaveOwn = (await probeNetwork()).kind === "works";
  if (services !== null && canHaveOwn)
    return [...describeOwnPort(output), ...describeUnreached(output, services)];
  return port === undefined ? [] : [describeSharedPort(port, canHaveOwn)];
}

/** Checks that run one at a time do not collide with each other, but they do with a program of the user's. */
function describeSharedPort(port: number | null, canHaveOwn: boolean): string {
  const holder = port === null ? undefined : findHolder(port);
  const isOfUser = holder?.isOurs === false;
  const advice = [
    ...(isOfUser ? [] : ["verification.exclusive: true"]),
    ...(canHaveOwn ? ["workspace.services: []"] : []),
  ].join(" or ");
  const by = holder === undefined ? "" : ` by ${holder.name}`;
  const other = isOfUser ? "another program" : "another check or worker";
  return `${namePort(port)} is in use${by}: a collision with ${other}, not a fault of the work (${advice || "end that program"}).`;
}

interface Holder {
  readonly name: string;
  /** A worker or a check started it. */
  readonly isOurs: boolean;
}

/** Undefined if nothing listens there any more: a program of the user's still would, so it was a check that has ended. */
function findHolder(port: number): Holder | undefined {
  const listener = findListener(port);
  if (listener !== undefined)
    return { name: `${listener.name} (process ${listener.pid})`, isOurs: isInsideRun(listener.pid) };
  return isListenedOn(port) ? { name: "a program of another user", isOurs: false } : undefined;
}

/** For a check with a network of its own, in which no program outside listens. */
function describeOwnPort(output: string): readonly string[] {
  const port = findTakenPort(output);
  return port === undefined
    ? []
    : [`${namePort(port)} is in use in the check's own network: the check itself uses it twice.`];
}

function describeUnreached(output: string, services: readonly Service[]): readonly string[] {
  const ports = findUnreached(output);
  if (ports === undefined) return [];
  const named = services.map(({ host, port }) => (host === "localhost" ? String(port) : `${host}:${port}`));
  const missing = ports.filter((port) => !named.includes(String(port)) && isListenedOn(port)).map(String);
  const list = [...named, ...missing].join(", ");
  return missing.length === 0
    ? [`The check has a network of its own and reaches nothing but workspace.services: [${list}].`]
    : [
        `The check has a network of its own and did not reach port ${missing.join(", ")} of this machine (workspace.services: [${list}]).`,
      ];
}

function namePort(port: number | null): string {
  return port === null ? "A port" : `Port ${port}`;
}
