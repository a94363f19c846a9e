import type { Delegation } from "../../journal/store.ts";
import { RateGate } from "../../scheduler/rate-gate.ts";
import type { OutputChunk } from "../../journal/machines.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import { findFullProvider } from "../delegation/find-provider.ts";
import type { BaseChecks } from "../ports/base-checks.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { FollowedOutput } from "./followed-output.ts";
import { OfferedAttempts } from "./offered-attempts.ts";
import type { ClusterTools, HubGate } from "./open-cluster.ts";
import { ReceivedOutput } from "./received-output.ts";
import { SentOutput } from "./sent-output.ts";
import { SharedGates } from "./shared-gates.ts";

/** The tools that a role adds to those of a machine in a cluster. */
interface RoleTools extends Pick<RunTools, "bringOutput" | "elsewhere" | "leaseMs" | "rates" | "slotCap"> {
  readonly sentOutput?: SentOutput;
  /** Ends the background work of the role. */
  readonly leaveRole: () => Promise<void>;
}

/** The coordinator runs no attempt itself. */
export async function createCoordinatorRole(
  tools: RunTools & { readonly baseChecks: BaseChecks },
  cluster: ClusterTools,
  log: (line: string) => void,
): Promise<RoleTools> {
  const { store, baseChecks, stateDirectory, clock } = tools;
  const { board } = cluster;
  const rates = new RateGate();
  const gates = await SharedGates.open({ board, rates, clock });
  const received = new ReceivedOutput({ board, stateDirectory, tell: tellOutput(tools) });
  const elsewhere = new OfferedAttempts({
    ...cluster,
    store,
    log,
    checkBase: (delegation: Delegation, base: string) => baseChecks.begin(delegation, base),
    output: new FollowedOutput({ board, store, received }),
    findFullProvider: (delegation) => findFullProvider({ ...tools, rates }, delegation),
  });
  return { ...capSlots(cluster), rates, elsewhere, leaveRole: async () => gates.close() };
}

/**
 * Creates the role of a machine that runs attempts for a coordinator; the gate sends their output before the journal
 * records their end.
 */
export async function createMachineRole(
  tools: RunTools,
  cluster: ClusterTools,
  gate: HubGate,
): Promise<RoleTools> {
  const { store, stateDirectory, clock } = tools;
  const { board, leaseMs } = cluster;
  const rates = new RateGate();
  const gates = await SharedGates.open({ board, rates, clock });
  const sentOutput = new SentOutput({ board, store, stateDirectory });
  gate.output = sentOutput;
  const leaveRole = async (): Promise<void> => {
    gates.close();
    await sentOutput.close();
  };
  const received = new ReceivedOutput({ board, stateDirectory });
  const bringOutput: RoleTools["bringOutput"] = ({ id: delegation, attempt }) =>
    received.bring({ delegation, attempt });
  return { ...capSlots(cluster), rates, leaseMs, sentOutput, bringOutput, leaveRole };
}

function capSlots({ slotCap }: ClusterTools): Pick<RunTools, "slotCap"> {
  return slotCap === null ? {} : { slotCap };
}

/** Shows the output of an agent on another machine to watchers, as if it ran here. */
function tellOutput(tools: Pick<RunTools, "findAdapter" | "store" | "watch">): (chunk: OutputChunk) => void {
  let turn: Promise<void> = Promise.resolve();
  const tell = async ({ delegation: id, text }: OutputChunk): Promise<void> => {
    const delegation = await tools.store.delegation(id);
    if (delegation === undefined) return;
    const adapter = tools.findAdapter(delegation.work?.adapter ?? "command");
    for (const event of text.split("\n").flatMap((line) => (line === "" ? [] : adapter.parse(line))))
      if (event.kind === "text")
        tools.watch({ kind: "output", delegation: id, text: redactCredentials(event.text).text });
  };
  return (chunk) => {
    // No step waits for it, and its order is kept.
    if (chunk.stream === "stdout") turn = turn.then(() => tell(chunk)).catch(() => undefined);
  };
}
