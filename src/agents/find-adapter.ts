import { DelegationError } from "../base/delegation-error.ts";
import type { AgentAdapter } from "./adapter.ts";
import { acpAdapter } from "./adapters/acp.ts";
import { claudeAdapter } from "./adapters/claude.ts";
import { codexAdapter } from "./adapters/codex.ts";
import { commandAdapter } from "./adapters/command.ts";
import { geminiAdapter } from "./adapters/gemini.ts";
import { opencodeAdapter } from "./adapters/opencode.ts";
import { scriptedAdapter } from "./adapters/scripted.ts";

/**
 * Every adapter by its name. `workerProgram` starts the built-in scripted worker; its last word is the worker's name,
 * and with another one the same program is our client for agents that speak the Agent Client Protocol.
 */
export function adapterFinder(workerProgram: readonly string[]): (name: string) => AgentAdapter {
  const adapters: readonly AgentAdapter[] = [
    claudeAdapter,
    codexAdapter,
    geminiAdapter,
    opencodeAdapter,
    acpAdapter([...workerProgram.slice(0, -1), "__acp"]),
    commandAdapter,
    scriptedAdapter(workerProgram),
  ];
  return (name) => {
    const found = adapters.find((adapter) => adapter.name === name);
    if (found !== undefined) return found;
    throw new DelegationError({
      code: "TOOL_UNAVAILABLE",
      message: `There is no adapter "${name}".`,
      recommendation: `Use one of: ${adapters.map((adapter) => adapter.name).join(", ")}.`,
    });
  };
}
