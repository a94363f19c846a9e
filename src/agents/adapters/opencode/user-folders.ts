import { join } from "node:path";

/** Where OpenCode keeps the user's settings, login and list of models. */
export function findOpencodeFolders(
  home: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): { readonly config: string; readonly data: string; readonly cache: string } {
  const findFolder = (variable: string, usual: string): string =>
    join(environment[variable] ?? join(home, usual), "opencode");
  return {
    config: findFolder("XDG_CONFIG_HOME", ".config"),
    data: findFolder("XDG_DATA_HOME", ".local/share"),
    cache: findFolder("XDG_CACHE_HOME", ".cache"),
  };
}
