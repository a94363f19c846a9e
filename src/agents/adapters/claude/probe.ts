import { join } from "node:path";
import type { ProgramProbe } from "../../adapter-types/agent-program.ts";
import { readFields } from "../../stream-json/read-line.ts";
import { hasAnyField, readJsonFields } from "../../stream-json/login-files.ts";
import { findClaudeFolders } from "./user-folders.ts";

const LOGIN_VARIABLES: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

export const claudeProbe: ProgramProbe = {
  package: "@anthropic-ai/claude-code",
  tested: ["2.1."],
  logIn: "claude setup-token",
  readLogin: (environment, home) => {
    if (hasAnyField(environment, LOGIN_VARIABLES)) return true;
    const { config, state } = findClaudeFolders(home, environment);
    if (hasAnyField(readJsonFields(join(config, ".credentials.json")), ["claudeAiOauth"])) return true;
    if (hasAnyField(readJsonFields(state), ["primaryApiKey"])) return true;
    const settings = readJsonFields(join(config, "settings.json"));
    if (hasAnyField(settings, ["apiKeyHelper"])) return true;
    if (hasAnyField(readFields(settings["env"]), LOGIN_VARIABLES)) return true;
    // On macOS the login is in the keychain, which we do not open.
    return process.platform === "darwin" ? "unknown" : false;
  },
  confineTo: (folder) => ({ CLAUDE_CONFIG_DIR: folder, DISABLE_AUTOUPDATER: "1" }),
};
