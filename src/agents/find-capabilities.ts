import type { AdapterCapabilities, AgentAdapter } from "./adapter-types/agent-adapter.ts";
import { findAcpProgram } from "./adapters/acp/complete-command.ts";
import { startsKnownAgent } from "./adapters/other-programs.ts";

/** The abilities of the agent that a command starts: its adapter's, without what this program lacks. */
export function findCapabilities(
  { name, capabilities }: Pick<AgentAdapter, "name" | "capabilities">,
  command: readonly string[],
): AdapterCapabilities {
  const lacksMcp = name === "acp" && findAcpProgram(command).hasMcp === false;
  // An agent names the dollars of the models whose price it knows, and no more than that.
  const lacksDollars = name === "command" && startsKnownAgent(command);
  return {
    ...capabilities,
    ...(lacksMcp ? { mcp: false } : {}),
    ...(lacksDollars ? { dollars: false } : {}),
  };
}
