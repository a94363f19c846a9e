import { join } from "node:path";

/** Where Claude Code keeps the user's settings and login. */
export function findClaudeFolders(
  home: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): { readonly config: string; readonly state: string } {
  const chosen = environment["CLAUDE_CONFIG_DIR"];
  return {
    config: chosen ?? join(home, ".claude"),
    // Next to the folder by default, inside it if the user chose the folder.
    state: join(chosen ?? home, ".claude.json"),
  };
}
