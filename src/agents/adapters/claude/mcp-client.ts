import { pathInHome, pathInRoot, type McpClient } from "../../adapter-types/mcp-client.ts";

export const claudeMcpClient: McpClient = {
  name: "claude",
  title: "Claude Code",
  scope: "project",
  format: "json",
  findFile: (places, scope) =>
    scope === "project" ? pathInRoot(places, ".mcp.json") : pathInHome(places, ".claude.json"),
  serverTables: [["mcpServers"]],
  // Otherwise its tools are hidden behind a search that the model may never make.
  buildEntry: ({ command, arguments: args }) => ({
    type: "stdio",
    command,
    args: [...args],
    alwaysLoad: true,
  }),
  next: "Start claude here and allow the server when it asks; /mcp shows it.",
};
