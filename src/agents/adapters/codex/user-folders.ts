import { join } from "node:path";

/** Where Codex keeps the user's settings and login. */
export function findCodexFolder(
  home: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): string {
  return environment["CODEX_HOME"] ?? join(home, ".codex");
}
