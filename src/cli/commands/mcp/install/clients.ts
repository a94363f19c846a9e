import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../../../environment.ts";
import { hasJsonObject, removeJsonEntry, setJsonEntry, type Edited } from "./edit-json.ts";
import { removeTomlTable, setTomlTable } from "./edit-toml.ts";

export type Scope = "project" | "user";

/** Where somebody's settings are looked for. */
export interface Places {
  readonly root: string;
  /** Undefined where nobody knows it. */
  readonly home: string | undefined;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
}

/** How `ambit mcp` is started. */
export interface Start {
  readonly command: string;
  readonly arguments: readonly string[];
}

/** A program with MCP servers of the user's choice, and how its settings are changed. */
export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** The one it is meant for when nobody says. */
  readonly scope: Scope;
  /** Undefined where there is no such file. */
  readonly file: (places: Places, scope: Scope) => string | undefined;
  readonly add: (text: string, start: Start) => Edited;
  readonly remove: (text: string) => Edited;
  readonly next: string;
}

const SERVER = "ambit";
/** Some cut a call off after a minute; a worker may take longer, and every wait of ours has an end of its own. */
const CALL_MS = 24 * 60 * 60 * 1000;

const stdio = ({ command, arguments: args }: Start) => ({ type: "stdio", command, args: [...args] });
/** Started who knows where, it is told which project is open. */
const inWorkspace = ({ command, arguments: args }: Start) =>
  stdio({ command, arguments: ["-C", "${workspaceFolder}", ...args] });

/** Every client that can be set up, by name. */
export const mcpClients: readonly McpClient[] = [
  {
    ...json("mcpServers", stdio),
    name: "claude",
    title: "Claude Code",
    scope: "project",
    file: (places, scope) =>
      scope === "project" ? inRoot(places, ".mcp.json") : inHome(places, ".claude.json"),
    next: "Start claude here and allow the server when it asks; /mcp shows it.",
  },
  {
    name: "codex",
    title: "Codex",
    scope: "user",
    file: (places, scope) =>
      scope === "project" ? inRoot(places, ".codex", "config.toml") : codexFile(places),
    add: (text, { command, arguments: args }) =>
      setTomlTable(text, ["mcp_servers", SERVER], {
        command: JSON.stringify(command),
        args: `[${args.map((one) => JSON.stringify(one)).join(", ")}]`,
        tool_timeout_sec: String(CALL_MS / 1000),
      }),
    remove: (text) => removeTomlTable(text, ["mcp_servers", SERVER]),
    next: "Start codex here; /mcp shows it.",
  },
  {
    ...json("mcpServers", ({ command, arguments: args }) => ({ command, args: [...args], timeout: CALL_MS })),
    name: "gemini",
    title: "Gemini CLI",
    scope: "project",
    file: (places, scope) => place(places, scope, ".gemini", "settings.json"),
    next: "Start gemini here and trust the folder; /mcp shows it.",
  },
  {
    name: "opencode",
    title: "OpenCode",
    scope: "project",
    file: openCodeFile,
    add: (text, start) => setJsonEntry(text, openCodePath(text), openCodeEntry(start)),
    remove: (text) => removeJsonEntry(text, openCodePath(text)),
    next: "Start opencode here; /status shows it.",
  },
  {
    ...json("mcpServers", inWorkspace),
    name: "cursor",
    title: "Cursor",
    scope: "project",
    file: (places, scope) => place(places, scope, ".cursor", "mcp.json"),
    next: "Open the project in Cursor and switch the server on in its settings.",
  },
  {
    ...json("servers", inWorkspace),
    name: "vscode",
    title: "VS Code",
    scope: "project",
    file: (places, scope) => (scope === "project" ? inRoot(places, ".vscode", "mcp.json") : codeFile(places)),
    next: "Open the project in VS Code and start the server from the file.",
  },
];

/** One entry below one key of a JSON file. */
function json(key: string, entry: (start: Start) => object): Pick<McpClient, "add" | "remove"> {
  return {
    add: (text, start) => setJsonEntry(text, [key, SERVER], entry(start)),
    remove: (text) => removeJsonEntry(text, [key, SERVER]),
  };
}

function inRoot({ root }: Places, ...names: string[]): string {
  return join(root, ...names);
}

function inHome({ home }: Places, ...names: string[]): string | undefined {
  return home === undefined ? undefined : join(home, ...names);
}

function place(places: Places, scope: Scope, ...names: string[]): string | undefined {
  return scope === "project" ? inRoot(places, ...names) : inHome(places, ...names);
}

function codexFile(places: Places): string | undefined {
  const own = places.environment["CODEX_HOME"] ?? "";
  return isAbsolute(own) ? join(own, "config.toml") : inHome(places, ".codex", "config.toml");
}

/** It reads either name; the one that is there is the one it uses. */
function openCodeFile(places: Places, scope: Scope): string | undefined {
  const own = places.environment["XDG_CONFIG_HOME"] ?? "";
  const config = isAbsolute(own) ? own : inHome(places, ".config");
  const folder =
    scope === "project" ? places.root : config === undefined ? undefined : join(config, "opencode");
  if (folder === undefined) return undefined;
  const names = ["opencode.json", "opencode.jsonc"].map((name) => join(folder, name));
  return names.find((file) => existsSync(file)) ?? names[0];
}

/** Its second version keeps servers one level deeper. */
function openCodePath(text: string): [string, ...string[]] {
  return hasJsonObject(text, ["mcp", "servers"]) ? ["mcp", "servers", SERVER] : ["mcp", SERVER];
}

function openCodeEntry({ command, arguments: args }: Start): object {
  return { type: "local", command: [command, ...args], timeout: CALL_MS };
}

function codeFile(places: Places): string | undefined {
  if (places.platform === "darwin")
    return inHome(places, "Library", "Application Support", "Code", "User", "mcp.json");
  const own = places.environment["XDG_CONFIG_HOME"] ?? "";
  return isAbsolute(own)
    ? join(own, "Code", "User", "mcp.json")
    : inHome(places, ".config", "Code", "User", "mcp.json");
}
