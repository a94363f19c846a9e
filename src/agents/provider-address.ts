import type { AcpProgram, ProgramSetup, ProviderAddress } from "./adapter-types/agent-program.ts";
import type { AgentAdapter } from "./adapter-types/agent-adapter.ts";
import { findAcpProgram } from "./adapters/acp/complete-command.ts";
import { findAgentProgram } from "./adapters/agent-programs.ts";
import { findKnownAgent, printsEvents, startsKnownAgent } from "./adapters/other-programs.ts";

export type { ProgramSetup, ProviderAddress } from "./adapter-types/agent-program.ts";

/** With one of these set, requests already pass a proxy, which a proxy of ours would bypass. */
const NETWORK_PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

type Adapter = Pick<AgentAdapter, "name" | "capabilities">;

/** How the usage of an agent is known in time to hold a budget. */
export type BudgetHold =
  /** It reports while it works. */
  | { readonly kind: "reports" }
  /** It is a program that may print usage lines, or none. */
  | { readonly kind: "prints" }
  /** Its requests can go through our proxy, which counts them. `isNeeded`: nothing else holds its budget. */
  | { readonly kind: "proxy"; readonly address: ProviderAddress; readonly isNeeded: boolean }
  /** `why` is a clause about the agent. */
  | { readonly kind: "none"; readonly why: string };

/** Undefined for a program that cannot be redirected, or whose login is not a key. */
export function findProviderAddress(adapter: string, setup: ProgramSetup): ProviderAddress | undefined {
  const isProxied = NETWORK_PROXIES.some((name) => (setup.environment[name] ?? "") !== "");
  return isProxied ? undefined : findKnownAddress(adapter, setup);
}

/** The same, whichever way its requests take. */
export function findKnownAddress(adapter: string, setup: ProgramSetup): ProviderAddress | undefined {
  return findProgram(adapter, setup.command ?? [])?.findProviderAddress?.(setup);
}

function findProgram(
  adapter: string,
  command: readonly string[],
): Pick<AcpProgram, "findProviderAddress"> | undefined {
  if (adapter === "acp") return findAcpProgram(command);
  return adapter === "command" ? findKnownAgent(command)?.acp : findAgentProgram(adapter);
}

/** Whether, and how, a budget can stop this agent within one request. */
export function findBudgetHold(adapter: Adapter, setup: ProgramSetup): BudgetHold {
  const why = explainLateUsage(adapter, setup.command ?? []);
  // The proxy refuses the next request; a report can come when that one is already on its way.
  const isLate = why !== undefined || adapter.name === "command";
  const address = isLate ? findProviderAddress(adapter.name, setup) : undefined;
  if (address !== undefined) return { kind: "proxy", address, isNeeded: why !== undefined };
  if (why !== undefined) return { kind: "none", why };
  const isPlain = adapter.name === "command" && !printsEvents(setup.command ?? []);
  return { kind: isPlain ? "prints" : "reports" };
}

/** How much of its usage an agent reports itself, at the latest when it ends. */
export function findReportedUsage(adapter: string, command: readonly string[]): "all" | "some" | "unknown" {
  if (adapter !== "acp") return "all";
  const { usage, hidesRequests } = findAcpProgram(command);
  if (usage === undefined || usage === "never") return "unknown";
  return hidesRequests === true ? "some" : "all";
}

/** Undefined for an agent that reports while it works. */
function explainLateUsage({ name, capabilities }: Adapter, command: readonly string[]): string | undefined {
  if (name === "command")
    return startsKnownAgent(command) && !printsEvents(command) ? "it does not report its usage" : undefined;
  if (name !== "acp") return capabilities.liveUsage ? undefined : "it reports its usage only when it ends";
  const { usage } = findAcpProgram(command);
  if (usage === undefined) return "it is not known to report its usage";
  if (usage === "live") return undefined;
  return usage === "end" ? "it reports its usage only when it ends" : "it does not report its usage";
}
