import { forwardServices, readParentProxy } from "../../containment/forward-services.ts";
import { probeNetwork } from "../../containment/probe-network.ts";
import { probeSandbox } from "../../containment/probe-sandbox.ts";
import type { SandboxPlaces } from "../../workspace/worktree.ts";
import type { PlacedCommand, PlaceOptions } from "../ports/work-place.ts";
import { placeInSandbox } from "./place-in-sandbox.ts";

/**
 * Puts a worker into its sandbox. Without the network, allowed hosts are forwarded to it if this machine can do that; the
 * caller that starts the worker closes the forwarding when it has ended.
 */
export async function placeWorker(
  places: SandboxPlaces & { readonly path: string },
  command: PlacedCommand,
  options: PlaceOptions,
): Promise<PlacedCommand> {
  const { reach, network } = options;
  const isNothing = reach === undefined || (reach.services.length === 0 && reach.hosts === undefined);
  const perl = network || isNothing ? undefined : await findRelayPerl();
  if (isNothing || perl === undefined) return placeInSandbox(places, command, options);
  const findProxy = readParentProxy(command.environment);
  const forwarding = await forwardServices({ ...reach, findProxy }, perl);
  try {
    const environment = { ...command.environment, ...forwarding.environment };
    const placed = await placeInSandbox(places, { ...command, environment }, { ...options, forwarding });
    return { ...placed, forwarding };
  } catch (error) {
    forwarding.close();
    throw error;
  }
}

/**
 * Gives a worker without a sandbox a network of its own, so that ports of other workers, checks and the user do not
 * matter. If this machine cannot do that, the worker has the network of the machine.
 */
export async function enterOwnNetwork(
  placed: PlacedCommand,
  { reach }: PlaceOptions,
): Promise<PlacedCommand> {
  const network = reach === undefined ? undefined : await probeNetwork();
  if (reach === undefined || network?.kind !== "works") return placed;
  const findProxy = readParentProxy(placed.environment);
  const forwarding = await forwardServices({ ...reach, findProxy }, network.perl);
  const { relay, hosts } = forwarding;
  return {
    ...placed,
    argv: [...relay, ...placed.argv],
    environment: { ...placed.environment, ...forwarding.environment },
    tier: "pid-namespace",
    ownNetwork: { hosts },
    forwarding,
  };
}

async function findRelayPerl(): Promise<string | undefined> {
  const [sandbox, network] = await Promise.all([probeSandbox(), probeNetwork()]);
  return sandbox.tier === "bubblewrap" && network.kind === "works" ? network.perl : undefined;
}
