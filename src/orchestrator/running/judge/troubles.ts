import type { ErrorCode } from "../../../contract/error-code.ts";

export interface Trouble {
  readonly what: string;
  readonly next: string;
  /** Whether another turn at once would end the same way. */
  readonly endsAtOnce: boolean;
  /** Whether a later turn might not. */
  readonly mayHelpLater: boolean;
}

/** Failures of an agent program itself, whatever its task is. */
const troubles: Partial<Readonly<Record<ErrorCode, Trouble>>> = {
  AGENT_NOT_INSTALLED: {
    what: "Its program is not installed",
    next: "ambit doctor shows which agents are installed and how to get this one.",
    endsAtOnce: true,
    mayHelpLater: false,
  },
  TOOL_UNAVAILABLE: {
    what: "Its sandbox has no such program",
    next: "Install it for the whole system, or use --isolation worktree.",
    endsAtOnce: true,
    mayHelpLater: false,
  },
  AGENT_NOT_LOGGED_IN: {
    what: "Its program is not logged in",
    next: "Log in as ambit doctor shows, then ambit resume.",
    endsAtOnce: true,
    mayHelpLater: false,
  },
  AGENT_NEEDS_PERMISSION: {
    what: "It asked for a permission that Ambit could not give",
    next: "Allow the tool in the agent's own settings, or name another agent, then ambit resume.",
    endsAtOnce: true,
    mayHelpLater: false,
  },
  AGENT_TURN_LIMIT: {
    what: "It used up the turns its program allows",
    next: "Make the task smaller, then ambit resume.",
    endsAtOnce: true,
    mayHelpLater: false,
  },
  RATE_LIMITED: {
    what: "Its provider accepts no more requests for now",
    next: "Wait until the limit has passed, then ambit resume.",
    endsAtOnce: true,
    mayHelpLater: true,
  },
  PROVIDER_FAILED: {
    what: "Its provider refused or failed",
    next: "See why with ambit logs, then ambit resume.",
    endsAtOnce: true,
    mayHelpLater: true,
  },
  AGENT_LOOPED: {
    what: "It repeated the same step, and its program ended it",
    next: "Describe the task more precisely, then ambit retry.",
    endsAtOnce: false,
    mayHelpLater: false,
  },
  AGENT_STREAM_BROKEN: {
    what: "Its program broke off or wrote unreadable output",
    next: "See what it wrote with ambit logs, then ambit resume.",
    endsAtOnce: false,
    mayHelpLater: true,
  },
};

export function findTrouble(code: string): Trouble | undefined {
  return Object.entries(troubles).find(([name]) => name === code)?.[1];
}
