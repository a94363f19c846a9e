import type { CodeMeaning } from "./code-meaning.ts";

/** Limits that refuse or stop, and directive text. */
export const limitMeanings = {
  CYCLE_DETECTED: [
    "The agent asked for is already on the path above, or the work leads back to its own manager.",
    "Choose another agent, or let the manager do the work itself.",
  ],
  MAX_DEPTH_EXCEEDED: [
    "The manager already stands at the deepest level; nobody may work below it.",
    "Do the work there directly, or allow one level more with --depth or delegation.maxDepth (at most 3).",
  ],
  TOO_MANY_DELEGATIONS: [
    "The story, or the one manager, would have more workers than it may.",
    "Join small tasks into fewer, or raise delegation.maxDelegationsPerStory or delegation.fanOut.",
  ],
  CONTEXT_BUDGET_EXCEEDED: [
    "What the manager holds and what the worker is expected to need do not fit into one agent's context.",
    "Make the subtask smaller, or raise delegation.maxContextPerAgent.",
  ],
  COST_LIMIT_EXCEEDED: [
    "The budget in dollars or tokens is used up, or a worker asked for more than is left.",
    "See where it went with ambit cost; go on with ambit resume <id> --budget <dollars>.",
  ],
  DESCRIPTION_TOO_LONG: [
    "The description of a delegation is longer than delegation.description.maxLength.",
    "Shorten it; background belongs into the context of the task.",
  ],
  SUSPICIOUS_CHARACTERS: [
    "The description holds characters that a shell would obey, such as ; or a backtick.",
    "Write it in plain words, or set delegation.description.policy to warn.",
  ],
  SUSPICIOUS_PATH: [
    "The description names a path outside the project, such as ../ or /etc/.",
    "Name files relative to the project, or set delegation.description.policy to warn.",
  ],
  EMPTY_DESCRIPTION: ["A delegation without a description was asked for.", "Say what is to be done."],
  TIMEOUT: [
    "The time for this work is over. It was asked to finish, then ended; what it did is kept.",
    "Go on with ambit resume <id>, with more time through --timeout.",
  ],
  STALLED: [
    "The agent wrote nothing for delegation.idle.stopSeconds and was ended; what it did is kept.",
    "Look where it stopped with ambit logs <id>, then ambit resume <id>.",
  ],
  OUTPUT_LIMIT_EXCEEDED: [
    "One attempt wrote more than delegation.output.maxBytes.",
    "See what it wrote with ambit logs <id> --tail 50; raise the limit only if that was meant.",
  ],
  RESOURCE_LIMIT_EXCEEDED: [
    "One attempt used more memory, processes or CPU time than delegation.resources allows.",
    "Raise that limit, or give the work to several smaller tasks.",
  ],
  DELEGATION_DISABLED: [
    "Delegating is switched off by delegation.enabled or ENABLE_DELEGATION.",
    "Switch it on, or let the agent do all of it.",
  ],
  INVALID_SYNTAX: [
    "A directive does not have the form [delegate:description:hours].",
    "Correct it; ambit directive validate tells whether it is right.",
  ],
  INVALID_HOURS: ["The hours of a directive are no number above 0.", "Write a number such as 2 or 2.5."],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
