import type { TaskLanguage } from "./task-language.ts";

/** `routing:` of a command's definition (R149). */
export interface CommandRouting {
  readonly languageBased: boolean;
  /** The agent where the language does not decide. */
  readonly targetAgent: string | undefined;
  /** Agents by language; `default` is not among them. */
  readonly byLanguage: Readonly<Record<string, string>>;
  readonly default: string | undefined;
  /** The agent that works phase by phase when there is a plan (R155). */
  readonly withPlan: string | undefined;
}

export interface RouteQuestion {
  readonly command: string;
  readonly routing: CommandRouting;
  readonly language: TaskLanguage;
  /** The path of the plan, relative to the project. */
  readonly plan?: string | undefined;
  /** Named by the person. */
  readonly agent?: string | undefined;
}

export interface CommandRoute {
  /** Undefined where the definition names no agent for this. */
  readonly agent: string | undefined;
  /** Why this agent: shown and recorded. */
  readonly reason: string;
}

/** Decides which agent gets a command, and why. Uses the definition alone and knows no agent by name (R148, R152). */
export function routeCommand(question: RouteQuestion): CommandRoute {
  const { routing, language, plan, agent, command } = question;
  if (agent !== undefined) return { agent, reason: "asked for" };
  if (plan !== undefined && routing.withPlan !== undefined)
    return { agent: routing.withPlan, reason: `phase by phase, plan ${plan}` };
  if (!routing.languageBased)
    return {
      agent: routing.targetAgent ?? routing.default,
      reason: `${command} goes to one agent, whatever the language`,
    };
  const known = Object.entries(routing.byLanguage).find(([name]) => name.toLowerCase() === language.language);
  const reason = `language ${language.language}, ${language.origin}`;
  return { agent: known?.[1] ?? routing.default ?? routing.targetAgent, reason };
}

/** `[3/7] route → lean-research-agent (language lean, from TODO.md)` */
export function formatRouteLine({ agent, reason }: CommandRoute): string {
  return formatStageLine(3, `→ ${agent ?? "no agent"} (${reason})`);
}

const stageNames = ["parse", "preflight", "route", "prepare", "invoke", "validate", "settle"] as const;

/** Formats one of the seven stages in one line, for people. */
export function formatStageLine(number: 1 | 2 | 3 | 4 | 5 | 6 | 7, text: string): string {
  return `[${number}/7] ${stageNames[number - 1] ?? ""} ${text}`;
}
