import type { CodeMeaning } from "./code-meaning.ts";

/** What agent CLIs and their providers do. */
export const agentMeanings = {
  AGENT_NOT_INSTALLED: [
    "The program of an agent was not found on this machine.",
    "Install it, or name another agent; ambit doctor says which are there.",
  ],
  AGENT_NOT_LOGGED_IN: [
    "An agent has no login or key for its provider, or the provider refused it.",
    "Log in with the agent itself or set its key; ambit doctor names the command.",
  ],
  AGENT_NEEDS_PERMISSION: [
    "An agent asked for a permission nobody could give, and stopped.",
    "Allow it in the agent's own settings, or give the work to another agent.",
  ],
  AGENT_STREAM_BROKEN: [
    "An agent ended in the middle of its output, or printed what nobody can read.",
    "Its work is kept. Look at ambit logs <id> --raw, then ambit retry <id>.",
  ],
  AGENT_LOOPED: [
    "An agent stopped because it repeated itself.",
    "Its work is kept. Make the task smaller or clearer, then ambit retry <id>.",
  ],
  AGENT_TURN_LIMIT: [
    "An agent used up its turns.",
    "Its work is kept. Raise the limit or make the task smaller, then ambit resume <id>.",
  ],
  PROVIDER_FAILED: [
    "The provider of an agent's model answered with an error.",
    "Look at ambit logs <id>; try again later with ambit retry <id>.",
  ],
  RATE_LIMITED: [
    "The provider of an agent's model wants fewer requests, or a quota is used up.",
    "New workers of that provider wait until it clears; ambit retry <id> begins again.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
