import { builtInAgents } from "../agents/agent-programs.ts";

/** Programs whose settings `ambit mcp install` can change: the agents, and two editors. */
export const mcpClientNames: readonly string[] = [...builtInAgents, "cursor", "vscode"];
