import { homedir } from "node:os";
import { listProviderHosts } from "../../agents/provider-hosts.ts";
import { probeNetwork } from "../../containment/probe-network.ts";
import { probeSandbox } from "../../containment/probe-sandbox.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Failed } from "../../guards/verdict.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** Returns undefined if a sandbox of this machine can let single addresses through. */
type FindObstacle = () => Promise<string | undefined>;

/** Refuses an agent whose sandbox would cut it off from its provider, before it fails with a puzzling error. */
export async function checkReach(
  { environment }: Pick<RunTools, "environment">,
  work: Pick<WorkSpec, "adapter" | "command" | "isolation" | "network">,
  findObstacle: FindObstacle = findRelayObstacle,
): Promise<readonly Failed[]> {
  const { adapter, command, isolation, network } = work;
  if (isolation !== "sandbox" || network === true) return [];
  const setup = { environment, home: environment["HOME"] ?? homedir(), command };
  const isAgent = listProviderHosts(adapter, setup, { given: {}, isMetered: false }) !== undefined;
  const obstacle = isAgent ? await findObstacle() : undefined;
  if (obstacle === undefined) return [];
  return [
    {
      ok: false,
      code: "SANDBOX_UNAVAILABLE",
      message: `A sandbox of this machine cannot let ${adapter} reach its provider alone: ${obstacle}`,
      details: [],
      suggestion: "Install bubblewrap, or add --network, which opens the whole network to the worker.",
    },
  ];
}

/** A machine without any sandbox reports that itself when the workspace is made. */
async function findRelayObstacle(): Promise<string | undefined> {
  const [sandbox, network] = await Promise.all([probeSandbox(), probeNetwork()]);
  if (sandbox.tier === "none") return undefined;
  if (sandbox.tier === "landlock") return sandbox.reason;
  return network.kind === "works" ? undefined : network.why;
}
