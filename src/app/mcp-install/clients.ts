import { isAbsolute, join } from "node:path";
import {
  agentMcpClients,
  pathInHome,
  pathInRoot,
  pathInScope,
  type McpClient,
  type ServerCommand,
  type SettingsPath,
  type SettingsPlaces,
} from "../../agents/agent-programs.ts";
import { hasJsonObject, removeJsonEntry, setJsonEntry } from "./edit-json.ts";
import { removeTomlTable, setTomlTable } from "./edit-toml.ts";
import type { Edited } from "./edited.ts";

const SERVER = "ambit";

/** An editor may start the server in any folder, so the entry says which project is open. */
const buildEditorEntry: McpClient["buildEntry"] = ({ command, arguments: args }) => ({
  type: "stdio",
  command,
  args: ["-C", "${workspaceFolder}", ...args],
});

const cursor: McpClient = {
  name: "cursor",
  title: "Cursor",
  scope: "project",
  format: "json",
  findFile: (places, scope) => pathInScope(places, scope, [".cursor", "mcp.json"]),
  serverTables: [["mcpServers"]],
  buildEntry: buildEditorEntry,
  next: "Open the project in Cursor and switch the server on in its settings.",
};

const vscode: McpClient = {
  name: "vscode",
  title: "VS Code",
  scope: "project",
  format: "json",
  findFile: (places, scope) =>
    scope === "project" ? pathInRoot(places, ".vscode", "mcp.json") : findCodeFile(places),
  serverTables: [["servers"]],
  buildEntry: buildEditorEntry,
  next: "Open the project in VS Code and start the server from the file.",
};

/** Every client that can be set up: the agent programs, and editors. */
export const mcpClients: readonly McpClient[] = [...agentMcpClients, cursor, vscode];

function findCodeFile(places: SettingsPlaces): string | undefined {
  const file = ["Code", "User", "mcp.json"];
  if (places.platform === "darwin") return pathInHome(places, "Library", "Application Support", ...file);
  const chosen = places.environment["XDG_CONFIG_HOME"] ?? "";
  return isAbsolute(chosen) ? join(chosen, ...file) : pathInHome(places, ".config", ...file);
}

/** The settings with our server in them. */
export function addServer(client: McpClient, text: string, server: ServerCommand): Edited {
  const entry = client.buildEntry(server);
  const path = findEntryPath(client, text);
  return client.format === "json" ? setJsonEntry(text, path, entry) : setTomlTable(text, path, entry);
}

/** The settings without our server. */
export function removeServer(client: McpClient, text: string): Edited {
  const path = findEntryPath(client, text);
  return client.format === "json" ? removeJsonEntry(text, path) : removeTomlTable(text, path);
}

function findEntryPath({ format, serverTables }: McpClient, text: string): SettingsPath {
  const present = format === "json" ? serverTables.find((path) => hasJsonObject(text, path)) : undefined;
  const [first, ...rest] = present ?? serverTables.at(-1) ?? [SERVER];
  return [first, ...rest, SERVER];
}
