import { homedir } from "node:os";
import { listProviderHosts } from "../../../agents/provider-hosts.ts";
import type { ExitFacts } from "../../../containment/contained-process.ts";
import { isOfThisMachine } from "../../../containment/forward-services.ts";
import type { Delegation } from "../../../journal/store.ts";
import { recordEvent } from "../../delegation/record.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PlacedCommand, Reach } from "../../ports/work-place.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";

/** Whether a worker is in a sandbox without the network of the machine. */
export function isCutOff({ place, delegation }: Pick<PreparedAttempt, "delegation" | "place">): boolean {
  return place.isolation === "sandbox" && delegation.work?.network !== true;
}

export interface WorkerFacts {
  /** All of the worker's variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the metering proxy listens, if its requests go there. */
  readonly proxyPort: number | undefined;
}

/** What a worker in a sandbox without the network can reach: its agent's provider, and what the settings name. */
export async function readReach(
  tools: RunTools,
  attempt: PreparedAttempt,
  { environment, proxyPort }: WorkerFacts,
): Promise<Reach | undefined> {
  if (!isCutOff(attempt)) return undefined;
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
  };
}

/** Says which hosts a worker that failed asked for in vain. */
export async function tellRefused(
  tools: RunTools,
  delegation: Delegation,
  { forwarding, exit }: Pick<PlacedCommand, "forwarding"> & { readonly exit: Pick<ExitFacts, "code"> },
): Promise<void> {
  const refused = forwarding?.listRefused() ?? [];
  if (exit.code === 0 || refused.length === 0) return;
  const message = `In its sandbox it could not reach ${refused.join(", ")} (agents.addresses, or --network)`;
  await recordEvent(tools, delegation, {
    type: "limit-warned",
    data: { code: "HOST_NOT_ALLOWED", message },
  });
}
