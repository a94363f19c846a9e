import { isRecord } from "../../contract/lenient.ts";
import type { CommandRouting } from "../../routing/route-command.ts";
import { readFrontMatter } from "../definitions/front-matter.ts";
import { flag, isAgentName, textOf } from "../definitions/values.ts";
import type { CommandDefinition } from "./command-definition.ts";

const LONGEST_INSTRUCTIONS = 16_000;
const LONGEST_TIMEOUT = 86_400;

/** Undefined for a file that says nothing about routing: then it is another tool's command and none of ours. */
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
    description: textOf(fields["description"]) ?? "",
    routing: readRouting(routing),
    timeoutSeconds: secondsOf(fields["timeout"] ?? routing["timeout"]),
    instructions: body.slice(0, LONGEST_INSTRUCTIONS),
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

/** Every other key is a language. Names no agent can have are left out: they would only lead to nobody. */
function readRouting(routing: Readonly<Record<string, unknown>>): CommandRouting {
  const nested = isRecord(routing["languages"]) ? routing["languages"] : {};
  const languages = [
    ...Object.entries(routing).filter(([key]) => !ownKeys.has(key)),
    ...Object.entries(nested),
  ];
  const byLanguage = languages.flatMap(([language, value]) => {
    const agent = agentOf(value);
    return agent === undefined ? [] : [[language, agent] as const];
  });
  return {
    languageBased: flag(routing["language_based"]),
    targetAgent: agentOf(routing["target_agent"]),
    byLanguage: Object.fromEntries(byLanguage),
    default: agentOf(routing["default"]),
    withPlan: agentOf(routing["with_plan"]),
  };
}

function agentOf(value: unknown): string | undefined {
  const name = textOf(value)?.trim();
  return name !== undefined && isAgentName(name) ? name : undefined;
}

function secondsOf(value: unknown): number | undefined {
  const seconds = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= LONGEST_TIMEOUT ? seconds : undefined;
}
