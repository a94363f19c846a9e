import { homedir } from "node:os";
import { listProviderHosts } from "../../../agents/provider-hosts.ts";
import type { ExitFacts } from "../../../containment/contained-process.ts";
import { isOfThisMachine } from "../../../containment/forward-services.ts";
import { recordEvent } from "../../delegation/record.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PlacedCommand, Reach } from "../../ports/work-place.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";

/** Whether a worker lacks the network of the machine: in a sandbox, or because its project has services. */
export async function isCutOff(
  tools: RunTools,
  { place, delegation }: Pick<PreparedAttempt, "delegation" | "place">,
): Promise<boolean> {
  if (delegation.work?.network === true) return false;
  return place.isolation === "sandbox" || (await tools.settings()).services !== null;
}

export interface WorkerFacts {
  /** All of the worker's variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** The port of the metering proxy, if its requests go there. */
  readonly proxyPort: number | undefined;
}

/**
 * Lists the hosts that a worker without the network of the machine can reach: its agent's provider, and the addresses in
 * the settings. Without a sandbox it also reaches every other host, but on this machine only the named services.
 */
export async function readReach(
  tools: RunTools,
  attempt: PreparedAttempt,
  { environment, proxyPort }: WorkerFacts,
): Promise<Reach | undefined> {
  if (!(await isCutOff(tools, attempt))) return undefined;
  const { services, addresses } = await tools.settings();
  const { adapter = "command", command = [] } = attempt.delegation.work ?? {};
  const home = tools.environment["HOME"] ?? homedir();
  const setup = { environment: tools.environment, home, command };
  const isMetered = proxyPort !== undefined;
  const provider = listProviderHosts(adapter, setup, { given: environment, isMetered });
  const [near, far] = [provider?.filter(isOfThisMachine), provider?.filter((host) => !isOfThisMachine(host))];
  const ports = isMetered ? [{ host: "localhost", port: proxyPort }] : [];
  const isAsking = far !== undefined || addresses.length > 0;
  return {
    services: [...(services ?? []), ...(near ?? []), ...ports],
    hosts: isAsking ? [...(far ?? []), ...addresses] : undefined,
    isOpen: attempt.place.isolation !== "sandbox",
  };
}

/** Reports the hosts that a failed worker asked for in vain. */
export async function tellRefused(
  tools: RunTools,
  { delegation, place }: Pick<PreparedAttempt, "delegation" | "place">,
  { forwarding, exit }: Pick<PlacedCommand, "forwarding"> & { readonly exit: Pick<ExitFacts, "code"> },
): Promise<void> {
  const refused = forwarding?.listRefused() ?? [];
  if (exit.code === 0 || refused.length === 0) return;
  const [where, setting] =
    place.isolation === "sandbox" ? ["sandbox", "agents.addresses"] : ["own network", "workspace.services"];
  const message = `In its ${where} it could not reach ${refused.join(", ")} (${setting}, or --network)`;
  await recordEvent(tools, delegation, {
    type: "limit-warned",
    data: { code: "HOST_NOT_ALLOWED", message },
  });
}
