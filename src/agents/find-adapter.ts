import { agentErrors } from "../errors/agents.ts";
import type { AgentAdapter } from "./adapter-types/agent-adapter.ts";
import { acpAdapter } from "./adapters/acp/adapter.ts";
import { agentPrograms } from "./adapters/agent-programs.ts";
import { commandAdapter } from "./adapters/command/adapter.ts";
import { scriptedAdapter } from "./adapters/scripted/adapter.ts";

/**
 * Finds an adapter by its name. `workerProgram` starts the built-in scripted worker. Its last word is the worker's name;
 * with `__acp` in its place the same program is our client for agents that speak the Agent Client Protocol.
 */
export function createAdapterFinder(workerProgram: readonly string[]): (name: string) => AgentAdapter {
  const adapters: readonly AgentAdapter[] = [
    ...agentPrograms.map(({ adapter }) => adapter),
    acpAdapter([...workerProgram.slice(0, -1), "__acp"]),
    commandAdapter,
    scriptedAdapter(workerProgram),
  ];
  return (name) => {
    const found = adapters.find((adapter) => adapter.name === name);
    if (found !== undefined) return found;
    throw agentErrors.adapterMissing(
      name,
      adapters.map((adapter) => adapter.name),
    );
  };
}
