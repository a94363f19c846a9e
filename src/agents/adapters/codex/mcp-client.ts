import { isAbsolute, join } from "node:path";
import {
  pathInHome,
  pathInRoot,
  MCP_CALL_TIMEOUT_MS,
  type McpClient,
} from "../../adapter-types/mcp-client.ts";

export const codexMcpClient: McpClient = {
  name: "codex",
  title: "Codex",
  scope: "user",
  format: "toml",
  findFile: (places, scope) => {
    if (scope === "project") return pathInRoot(places, ".codex", "config.toml");
    const chosen = places.environment["CODEX_HOME"] ?? "";
    return isAbsolute(chosen) ? join(chosen, "config.toml") : pathInHome(places, ".codex", "config.toml");
  },
  serverTables: [["mcp_servers"]],
  buildEntry: ({ command, arguments: args }) => ({
    command,
    args: [...args],
    tool_timeout_sec: MCP_CALL_TIMEOUT_MS / 1000,
  }),
  next: "Start codex here; /mcp shows it.",
};
