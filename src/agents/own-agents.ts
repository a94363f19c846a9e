import type { AgentAdapter } from "./adapter-types/agent-adapter.ts";
import type { OwnAgents, ProgramSetup } from "./adapter-types/agent-program.ts";
import { findOwnAgents } from "./adapters/acp/complete-command.ts";
import { findAgentProgram } from "./adapters/agent-programs.ts";
import { printsEvents } from "./adapters/other-programs.ts";
import { findBudgetHold, findProviderAddress, findReportedUsage } from "./provider-address.ts";

/**
 * The agents that a worker could start itself. An adapter of one CLI switches them off on the command line; a version that
 * does not know the switch would start them all the same. Undefined for programs that show no calls.
 */
export function findWorkerAgents(adapter: string, command: readonly string[]): OwnAgents | undefined {
  if (adapter === "acp") return findOwnAgents(command);
  // Extensions can add such tools to a program that has none of its own.
  if (adapter === "command")
    return printsEvents(command) ? { ...findOwnAgents([]), isSwitchedOff: true } : undefined;
  return findAgentProgram(adapter)?.acp.ownAgents;
}

/** Whether a tool, however the agent writes its name, starts an agent. Ambit's own tools never count. */
export function startsOwnAgent({ tools }: OwnAgents, name: string): boolean {
  const plain = name.toLowerCase();
  if (plain.includes("ambit")) return false;
  const parts = [plain, ...plain.split(":"), ...plain.split("/"), ...plain.split("__")];
  return parts.some((part) => tools.includes(part.trim()));
}

/** Warnings for a person before this agent works; empty if its own agents are off and its budget is enforced. */
export function describeBounds(
  adapter: Pick<AgentAdapter, "name" | "capabilities">,
  setup: ProgramSetup,
): readonly string[] {
  const own = findWorkerAgents(adapter.name, setup.command ?? []);
  const hold = findBudgetHold(adapter, setup);
  const isCounted = findProviderAddress(adapter.name, setup) !== undefined;
  return [
    ...(own === undefined || own.isSwitchedOff || own.tools.length === 0
      ? []
      : ["has agents of its own that cannot be switched off; a worker that starts one is stopped"]),
    ...(findReportedUsage(adapter.name, setup.command ?? []) === "some" && !isCounted
      ? ["makes additional requests that it does not report; they are not booked"]
      : []),
    ...(hold.kind === "none" ? [`a budget cannot be held for it: ${hold.why}`] : []),
  ];
}
