import { join } from "node:path";

export interface UserFolders {
  readonly claude: string;
  /** Beside its folder by default, inside it when the user chose the folder. */
  readonly claudeState: string;
  readonly codex: string;
  readonly gemini: string;
  readonly opencodeConfig: string;
  readonly opencodeData: string;
  readonly opencodeCache: string;
}

/** Where the user's own agents keep settings and logins; each has a variable that moves them. */
export function userFolders(
  home: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): UserFolders {
  const claude = environment["CLAUDE_CONFIG_DIR"];
  const under = (name: string, usual: string): string => environment[name] ?? join(home, usual);
  return {
    claude: claude ?? join(home, ".claude"),
    claudeState: join(claude ?? home, ".claude.json"),
    codex: under("CODEX_HOME", ".codex"),
    gemini: join(environment["GEMINI_CLI_HOME"] ?? home, ".gemini"),
    opencodeConfig: join(under("XDG_CONFIG_HOME", ".config"), "opencode"),
    opencodeData: join(under("XDG_DATA_HOME", ".local/share"), "opencode"),
    opencodeCache: join(under("XDG_CACHE_HOME", ".cache"), "opencode"),
  };
}
