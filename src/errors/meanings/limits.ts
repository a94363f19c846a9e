import type { CodeMeaning } from "./code-meaning.ts";

/** Limits that refuse or stop work, and directive text. */
export const limitMeanings = {
  CYCLE_DETECTED: [
    "The requested agent role is already on the path above, or the work leads back to its own manager.",
    "Leave the agent out, choose another one, or let the manager do the work itself.",
  ],
  MAX_DEPTH_EXCEEDED: [
    "The manager is already at the deepest level and may not have workers.",
    "Do the work there, or allow one more level with --depth or delegation.maxDepth (at most 3).",
  ],
  TOO_MANY_DELEGATIONS: [
    "The story, or one of its managers, would have more workers than allowed.",
    "Combine small tasks, or raise delegation.maxDelegationsPerStory or delegation.fanOut.",
  ],
  CONTEXT_BUDGET_EXCEEDED: [
    "The manager's context and the context the worker is expected to need exceed one agent's limit.",
    "Make the subtask smaller, or raise delegation.maxContextPerAgent.",
  ],
  BUDGET_UNMETERED: [
    "Ambit cannot enforce the budget for this agent: its usage is not known while it works, or its model has no price.",
    "Use another agent or a key that Ambit can meter, or give --tokens; --allow-unmetered starts it anyway.",
  ],
  COST_LIMIT_EXCEEDED: [
    "The budget in dollars or tokens is used up, or a worker asked for more than is left.",
    "See where it went with ambit cost; continue with ambit resume <id> --budget <dollars>.",
  ],
  DESCRIPTION_TOO_LONG: [
    "The description of a delegation is longer than delegation.description.maxLength.",
    "Shorten it, and put background into the context of the task.",
  ],
  SUSPICIOUS_CHARACTERS: [
    "The description contains characters that a shell would interpret, such as ; or a backtick.",
    "Use plain words in [delegate:…]; elsewhere, set delegation.description.policy to neutralise.",
  ],
  SUSPICIOUS_PATH: [
    "The description names a path outside the project, such as ../ or /etc/.",
    "Name files relative to the project in [delegate:…]; elsewhere, set delegation.description.policy to neutralise.",
  ],
  EMPTY_DESCRIPTION: ["The delegation has no description.", "Describe the work to do."],
  TIMEOUT: [
    "The work ran out of time. The agent was asked to finish, then stopped; its work is kept.",
    "Continue with ambit resume <id>, and allow more time with --timeout.",
  ],
  STALLED: [
    "The agent wrote nothing for delegation.idle.stopSeconds and was stopped; its work is kept.",
    "See where it stopped with ambit logs <id>, then run ambit resume <id>.",
  ],
  OUTPUT_LIMIT_EXCEEDED: [
    "One attempt wrote more than delegation.output.maxBytes.",
    "See what it wrote with ambit logs <id> --tail 50; raise the limit only if that was intended.",
  ],
  RESOURCE_LIMIT_EXCEEDED: [
    "One attempt used more memory, processes or CPU time than delegation.resources allows.",
    "Raise that limit, or split the work into smaller tasks.",
  ],
  DISK_LIMIT_EXCEEDED: [
    "One attempt took more disk space in its workspace than delegation.resources.diskBytes allows; its work is kept.",
    "See what it wrote with ambit diff <id>; raise the limit only if that was intended.",
  ],
  DELEGATION_DISABLED: [
    "Delegation is switched off by delegation.enabled or ENABLE_DELEGATION.",
    "Switch it on, or let the agent do all the work itself.",
  ],
  INVALID_SYNTAX: [
    "A directive does not have the form [delegate:description:hours].",
    "Correct it, and check it with ambit directive validate.",
  ],
  INVALID_HOURS: ["The hours of a directive must be a number above 0.", "Write a number such as 2 or 2.5."],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
