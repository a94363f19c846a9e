import { DelegationError } from "../base/delegation-error.ts";
import type { AgentAdapter } from "./adapter.ts";
import { commandAdapter } from "./adapters/command.ts";
import { scriptedAdapter } from "./adapters/scripted.ts";

/** Every adapter by its name. `workerProgram` starts the built-in scripted worker. */
export function adapterFinder(workerProgram: readonly string[]): (name: string) => AgentAdapter {
  const adapters: readonly AgentAdapter[] = [commandAdapter, scriptedAdapter(workerProgram)];
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
