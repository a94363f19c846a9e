import type { ErrorCode } from "../../../contract/error-code.ts";

export interface Trouble {
  readonly what: string;
  readonly next: string;
  /** Another turn at once would end the same way. */
  readonly endsAtOnce: boolean;
  /** A later one might not. */
  readonly mayHelpLater: boolean;
}

/** What an agent program can run into by itself, whatever its task is. */
const troubles: Partial<Readonly<Record<ErrorCode, Trouble>>> = {
  AGENT_NOT_INSTALLED: {
    what: "Its program is not installed",
    next: "ambit doctor says which agents are there and how to get this one.",
    endsAtOnce: true,
    mayHelpLater: false,
  },
  AGENT_NOT_LOGGED_IN: {
    what: "Its program is not logged in",
    next: "Log in as ambit doctor says, then ambit resume.",
    endsAtOnce: true,
    mayHelpLater: false,
  },
  AGENT_NEEDS_PERMISSION: {
    what: "It asked for a permission that nobody could give",
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
    what: "Its provider takes no more requests for now",
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
    what: "It did the same over and over, and its program ended it",
    next: "Say more exactly what is to be done, then ambit retry.",
    endsAtOnce: false,
    mayHelpLater: false,
  },
  AGENT_STREAM_BROKEN: {
    what: "Its program broke off or wrote what nobody can read",
    next: "See what it wrote with ambit logs, then ambit resume.",
    endsAtOnce: false,
    mayHelpLater: true,
  },
};

export function troubleOf(code: string): Trouble | undefined {
  return Object.entries(troubles).find(([name]) => name === code)?.[1];
}
