import { findListener, isListenedOn } from "../../containment/find-listener.ts";
import type { Service } from "../../containment/forward-services.ts";
import { probeNetwork } from "../../containment/probe-network.ts";
import { findTakenPort } from "../../verification/find-taken-port.ts";
import { findUnreached } from "../../verification/find-unreached.ts";

/** Says, each in one sentence, what the output of a failed check tells about ports and services. */
export async function explainNetwork(
  output: string,
  services: readonly Service[] | null,
): Promise<readonly string[]> {
  const hasOwn = services !== null && (await probeNetwork()).kind === "works";
  return hasOwn
    ? [...describeOwnPort(output), ...describeUnreached(output, services)]
    : describeSharedPort(output);
}

function describeSharedPort(output: string): readonly string[] {
  const port = findTakenPort(output);
  if (port === undefined) return [];
  const listener = port === null ? undefined : findListener(port);
  const holder = listener === undefined ? "" : ` by ${listener.name} (process ${listener.pid})`;
  return [
    `${namePort(port)} is in use${holder}: a collision with another program, not with the files (workspace.services or verification.exclusive).`,
  ];
}

/** Nothing outside listens there. */
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
