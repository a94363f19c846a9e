import { join } from "node:path";
import type { ProgramProbe } from "../../adapter-types/agent-program.ts";
import { hasAnyField, readJsonFields } from "../../stream-json/login-files.ts";
import { hasOwnProvider, listProviderVariables } from "./provider.ts";
import { findCodexFolder } from "./user-folders.ts";

export const codexProbe: ProgramProbe = {
  package: "@openai/codex",
  tested: ["0.166."],
  logIn: "codex login",
  // `OPENAI_API_KEY` alone is not enough: Codex reads it only through `codex login --with-api-key`.
  readLogin: (environment, home) => {
    if (hasAnyField(environment, ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"])) return true;
    const folder = findCodexFolder(home, environment);
    if (hasAnyField(readJsonFields(join(folder, "auth.json")), ["OPENAI_API_KEY", "tokens"])) return true;
    const setup = { environment, home };
    if (!hasOwnProvider(setup)) return false;
    // The user's own provider may have its own key or need none.
    const missing = listProviderVariables(setup).some((name) => (environment[name] ?? "") === "");
    return missing ? false : "unknown";
  },
  confineTo: (folder) => ({ CODEX_HOME: folder }),
};
