import type { AdapterCapabilities, AgentAdapter } from "./adapter-types/agent-adapter.ts";
import { findAcpProgram } from "./adapters/acp/complete-command.ts";

/** The abilities of the agent that a command starts: its adapter's, without what this program lacks. */
export function findCapabilities(
  { name, capabilities }: Pick<AgentAdapter, "name" | "capabilities">,
  command: readonly string[],
): AdapterCapabilities {
  const lacksMcp = name === "acp" && findAcpProgram(command).hasMcp === false;
  return lacksMcp ? { ...capabilities, mcp: false } : capabilities;
}
