import type { CodeMeaning } from "./code-meaning.ts";

/** Failures of agent CLIs and their providers. */
export const agentMeanings = {
  AGENT_NOT_INSTALLED: [
    "The agent's program was not found on this machine.",
    "Install it, or name another agent; ambit doctor lists the agents it found.",
  ],
  AGENT_NOT_LOGGED_IN: [
    "The agent has no login or API key for its provider, or the provider rejected it.",
    "Log in with the agent itself or set its key; ambit doctor names the command.",
  ],
  AGENT_NEEDS_PERMISSION: [
    "The agent asked for a permission that could not be granted, and stopped.",
    "Allow it in the agent's own settings, or give the work to another agent.",
  ],
  AGENT_STREAM_BROKEN: [
    "The agent's output broke off or could not be read.",
    "Its work is kept. Read ambit logs <id> --raw, then run ambit retry <id>.",
  ],
  AGENT_LOOPED: [
    "The agent was stopped because it repeated itself.",
    "Its work is kept. Make the task smaller or clearer, then run ambit retry <id>.",
  ],
  AGENT_TURN_LIMIT: [
    "The agent used all its turns.",
    "Its work is kept. Raise the limit or make the task smaller, then run ambit resume <id>.",
  ],
  AGENT_STARTED_AGENTS: [
    "The agent was stopped when it began to start agents of its own: no limit would apply to them.",
    "Its work is kept. Switch them off in the agent's own settings; ambit agents check says which agents have them.",
  ],
  PROVIDER_FAILED: [
    "The provider of the agent's model answered with an error.",
    "Read ambit logs <id>; try again later with ambit retry <id>.",
  ],
  RATE_LIMITED: [
    "The provider of the agent's model asked for fewer requests, or a quota is used up.",
    "New workers of that provider wait until it clears; ambit retry <id> starts over.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
