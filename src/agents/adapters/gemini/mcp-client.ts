import { pathInScope, MCP_CALL_TIMEOUT_MS, type McpClient } from "../../adapter-types/mcp-client.ts";

export const geminiMcpClient: McpClient = {
  name: "gemini",
  title: "Gemini CLI",
  scope: "project",
  format: "json",
  findFile: (places, scope) => pathInScope(places, scope, [".gemini", "settings.json"]),
  serverTables: [["mcpServers"]],
  buildEntry: ({ command, arguments: args }) => ({ command, args: [...args], timeout: MCP_CALL_TIMEOUT_MS }),
  next: "Start gemini here and trust the folder; /mcp shows it.",
};
