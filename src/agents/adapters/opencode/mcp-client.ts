import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import {
  pathInHome,
  MCP_CALL_TIMEOUT_MS,
  type McpClient,
  type SettingsPlaces,
  type SettingsScope,
} from "../../adapter-types/mcp-client.ts";

export const opencodeMcpClient: McpClient = {
  name: "opencode",
  title: "OpenCode",
  scope: "project",
  format: "json",
  findFile: findSettingsFile,
  // Its second version keeps servers one level deeper.
  serverTables: [["mcp", "servers"], ["mcp"]],
  buildEntry: ({ command, arguments: args }) => ({
    type: "local",
    command: [command, ...args],
    timeout: MCP_CALL_TIMEOUT_MS,
  }),
  next: "Start opencode here; /status shows it.",
};

/** OpenCode reads either name, so change the file that exists. */
function findSettingsFile(places: SettingsPlaces, scope: SettingsScope): string | undefined {
  const folder = scope === "project" ? places.root : findUserFolder(places);
  if (folder === undefined) return undefined;
  const files = ["opencode.json", "opencode.jsonc"].map((name) => join(folder, name));
  return files.find((file) => existsSync(file)) ?? files[0];
}

function findUserFolder(places: SettingsPlaces): string | undefined {
  const chosen = places.environment["XDG_CONFIG_HOME"] ?? "";
  return isAbsolute(chosen) ? join(chosen, "opencode") : pathInHome(places, ".config", "opencode");
}
