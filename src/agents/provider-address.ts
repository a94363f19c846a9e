import type { ProviderAddress } from "./adapter-types/agent-program.ts";
import { findAgentProgram } from "./adapters/agent-programs.ts";

export type { ProviderAddress } from "./adapter-types/agent-program.ts";

/** Undefined for a program that cannot be redirected, or whose login is not a key. */
export function findProviderAddress(
  adapter: string,
  environment: Readonly<Record<string, string | undefined>>,
): ProviderAddress | undefined {
  return findAgentProgram(adapter)?.findProviderAddress?.(environment);
}
