import { isRecord } from "../../base/json.ts";
import type { CommandRouting } from "../../routing/route-command.ts";
import { readFrontMatter } from "../definitions/front-matter.ts";
import { readFlag, isAgentName, readText } from "../definitions/values.ts";
import type { CommandDefinition } from "./command-definition.ts";

const MAX_INSTRUCTIONS_LENGTH = 16_000;
const MAX_TIMEOUT_SECONDS = 86_400;

/** Undefined for a file without routing: it is another tool's command. */
export async function interpretCommand(
  name: string,
  file: string,
  text: string,
): Promise<CommandDefinition | undefined> {
  const { fields, body } = await readFrontMatter(text);
  const { routing } = fields;
  if (!isRecord(routing)) return undefined;
  return {
    name,
    description: readText(fields["description"]) ?? "",
    routing: readRouting(routing),
    timeoutSeconds: readTimeoutSeconds(fields["timeout"] ?? routing["timeout"]),
    instructions: body.slice(0, MAX_INSTRUCTIONS_LENGTH),
    file,
  };
}

const ownKeys: ReadonlySet<string> = new Set([
  "language_based",
  "target_agent",
  "default",
  "with_plan",
  "timeout",
  "languages",
]);

/** Every other key is a language. Invalid agent names are left out, because no agent can have them. */
function readRouting(routing: Readonly<Record<string, unknown>>): CommandRouting {
  const nested = isRecord(routing["languages"]) ? routing["languages"] : {};
  const languages = [
    ...Object.entries(routing).filter(([key]) => !ownKeys.has(key)),
    ...Object.entries(nested),
  ];
  const byLanguage = languages.flatMap(([language, value]) => {
    const agent = readAgentName(value);
    return agent === undefined ? [] : [[language, agent] as const];
  });
  return {
    languageBased: readFlag(routing["language_based"]),
    targetAgent: readAgentName(routing["target_agent"]),
    byLanguage: Object.fromEntries(byLanguage),
    default: readAgentName(routing["default"]),
    withPlan: readAgentName(routing["with_plan"]),
  };
}

function readAgentName(value: unknown): string | undefined {
  const name = readText(value)?.trim();
  return name !== undefined && isAgentName(name) ? name : undefined;
}

function readTimeoutSeconds(value: unknown): number | undefined {
  const seconds = Number(readText(value) ?? Number.NaN);
  return Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS
    ? seconds
    : undefined;
}
