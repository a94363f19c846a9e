import { join } from "node:path";

/** Where Gemini CLI keeps the user's settings and login. */
export function findGeminiFolder(
  home: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): string {
  return join(environment["GEMINI_CLI_HOME"] ?? home, ".gemini");
}
