import { join } from "node:path";

export type SettingsScope = "project" | "user";

/** Where a client's settings files can be. */
export interface SettingsPlaces {
  readonly root: string;
  /** Undefined if the user has no known home folder. */
  readonly home: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** The command that starts `ambit mcp`. */
export interface ServerCommand {
  readonly command: string;
  readonly arguments: readonly string[];
}

/** A program that reads MCP servers from a settings file, and the entry that makes it start ours. */
export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** Which settings to change unless the user names one. */
  readonly scope: SettingsScope;
  readonly format: "json" | "toml";
  /** Undefined if the file cannot exist. */
  readonly findFile: (places: SettingsPlaces, scope: SettingsScope) => string | undefined;
  /** Tables that can hold servers: the first one that the file has, otherwise the last one is created. */
  readonly serverTables: readonly SettingsPath[];
  readonly buildEntry: (server: ServerCommand) => object;
  /** The user's next step after the file is written. */
  readonly next: string;
}

export type SettingsPath = readonly [string, ...string[]];

/** Some clients cancel a call after a minute. A worker may take longer, and our server has deadlines of its own. */
export const MCP_CALL_TIMEOUT_MS = 24 * 60 * 60 * 1000;

export function pathInRoot({ root }: SettingsPlaces, ...names: readonly string[]): string {
  return join(root, ...names);
}

export function pathInHome({ home }: SettingsPlaces, ...names: readonly string[]): string | undefined {
  return home === undefined ? undefined : join(home, ...names);
}

/** The same path below the project's root and below the home folder. */
export function pathInScope(
  places: SettingsPlaces,
  scope: SettingsScope,
  names: readonly string[],
): string | undefined {
  return scope === "project" ? pathInRoot(places, ...names) : pathInHome(places, ...names);
}
