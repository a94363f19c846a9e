import { join } from "node:path";
import {
  addressFromVariable,
  type ProgramSetup,
  type ProviderAddress,
} from "../../adapter-types/agent-program.ts";
import { readFields } from "../../stream-json/read-line.ts";
import { hasAnyField, readJsonFields } from "../../stream-json/login-files.ts";
import { findClaudeFolders } from "./user-folders.ts";

const VARIABLE = "ANTHROPIC_BASE_URL";
const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

/** Undefined for models of a cloud, and for an address in the user's settings, which wins over a variable. */
export function findClaudeAddress({ environment, home }: ProgramSetup): ProviderAddress | undefined {
  const { config } = findClaudeFolders(home, environment);
  const settings = readFields(readJsonFields(join(config, "settings.json"))["env"]);
  if (hasAnyField(settings, [VARIABLE, ...CLOUDS]) || hasAnyField(environment, CLOUDS)) return undefined;
  return addressFromVariable(VARIABLE, environment, "https://api.anthropic.com");
}
