import type { AcpProgram, ProgramSetup, ProviderAddress } from "./adapter-types/agent-program.ts";
import type { AgentAdapter } from "./adapter-types/agent-adapter.ts";
import { findAcpProgram } from "./adapters/acp/complete-command.ts";
import { findAgentProgram } from "./adapters/agent-programs.ts";
import { startsKnownAgent } from "./adapters/other-programs.ts";

export type { ProgramSetup, ProviderAddress } from "./adapter-types/agent-program.ts";

/** Whose requests already take another way, which a proxy of ours would leave. */
const NETWORK_PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

type Adapter = Pick<AgentAdapter, "name" | "capabilities">;

/** How the usage of an agent is known in time to hold a budget. */
export type BudgetHold =
  /** It reports while it works. */
  | { readonly kind: "reports" }
  /** Its requests can go through our proxy, which counts them. */
  | { readonly kind: "proxy"; readonly address: ProviderAddress }
  /** `why` is a clause about the agent. */
  | { readonly kind: "none"; readonly why: string };

/** Undefined for a program that cannot be redirected, or whose login is not a key. */
export function findProviderAddress(adapter: string, setup: ProgramSetup): ProviderAddress | undefined {
  const isProxied = NETWORK_PROXIES.some((name) => (setup.environment[name] ?? "") !== "");
  return isProxied ? undefined : findKnownAddress(adapter, setup);
}

/** The same, whichever way its requests take. */
export function findKnownAddress(adapter: string, setup: ProgramSetup): ProviderAddress | undefined {
  const program: Pick<AcpProgram, "findProviderAddress"> | undefined =
    adapter === "acp" ? findAcpProgram(setup.command ?? []) : findAgentProgram(adapter);
  return program?.findProviderAddress?.(setup);
}

/** Whether, and how, a budget can stop this agent within one request. */
export function findBudgetHold(adapter: Adapter, setup: ProgramSetup): BudgetHold {
  const why = explainLateUsage(adapter, setup.command ?? []);
  if (why === undefined) return { kind: "reports" };
  const address = findProviderAddress(adapter.name, setup);
  return address === undefined ? { kind: "none", why } : { kind: "proxy", address };
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
  if (name === "command") return startsKnownAgent(command) ? "it does not report its usage" : undefined;
  if (name !== "acp") return capabilities.liveUsage ? undefined : "it reports its usage only when it ends";
  const { usage } = findAcpProgram(command);
  if (usage === undefined) return "it is not known to report its usage";
  if (usage === "live") return undefined;
  return usage === "end" ? "it reports its usage only when it ends" : "it does not report its usage";
}
