import { dirname, isAbsolute, join } from "node:path";

/** The project's configuration, next to its `.git`. */
export function projectConfigPath(projectRoot: string): string {
  return join(projectRoot, "ambit.yaml");
}

/** The `delegation` section alone, as other tools write it. */
export function delegationConfigPath(projectRoot: string): string {
  return join(projectRoot, ".ambit", "delegation-config.json");
}

export interface UserFolders {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory?: string | undefined;
}

/** Which projects may run what they name; the file is next to the user's own configuration. */
export function userTrustPath(folders: UserFolders): string | undefined {
  const config = userConfigPath(folders);
  return config === undefined ? undefined : join(dirname(config), "trust.json");
}

/** The user's own configuration; a relative XDG_CONFIG_HOME is ignored, as its standard says. */
export function userConfigPath({ environment, homeDirectory }: UserFolders): string | undefined {
  const configHome = environment["XDG_CONFIG_HOME"] ?? "";
  if (isAbsolute(configHome)) return join(configHome, "ambit", "config.yaml");
  return homeDirectory === undefined ? undefined : join(homeDirectory, ".config", "ambit", "config.yaml");
}
