import type { Symptom } from "./symptom.ts";

/** Symptoms while work is going on. */
export const courseSymptoms: readonly Symptom[] = [
  {
    name: "hang",
    title: "A delegation hangs",
    signs: "Nothing moves, and no message says why.",
    causes: [
      "It waits for you: an approval or a question of a worker.",
      "It waits for a slot, for a part it depends on, or for a provider that asked for fewer requests.",
      "The agent is silent. Ambit warns after delegation.idle.warnSeconds and stops the agent after delegation.idle.stopSeconds.",
      "The supervisor has exited, so nothing continues by itself.",
      "The supervisor is suspended or hangs; commands that need it end with SUPERVISOR_STUCK.",
      "The disk is full or read-only: work is paused and continues by itself when there is room.",
    ],
    steps: [
      { text: "See what waits for you", command: "ambit inbox" },
      { text: "See why it is in this state", command: "ambit explain <id>" },
      { text: "See what its agent writes", command: "ambit logs <id> -f" },
      { text: "Continue it if no supervisor runs", command: "ambit resume <id>" },
      {
        text: "End a supervisor that does not answer; work is kept",
        command: "ambit supervisor stop --force",
      },
      { text: "Give up on it; its work is kept", command: "ambit stop <id>" },
    ],
  },
  {
    name: "loop",
    title: "Agents go round in circles",
    signs: "The same agents delegate to each other, or one attempt follows another.",
    causes: [
      "An agent named a role that is already above it; Ambit refuses that with CYCLE_DETECTED. Names of programs, such as claude, may occur again.",
      "An agent repeats the same calls with the same input. It is warned after 10 of them and stopped with AGENT_LOOPED after 25; its work is kept.",
      "Its checks keep failing, and it tries again; retries are limited.",
    ],
    steps: [
      { text: "See the path of every worker and what was refused", command: "ambit tree <id>" },
      { text: "See what was refused, with the path", command: "ambit explain <id>" },
      { text: "See what the code means", command: "ambit explain CYCLE_DETECTED" },
      {
        text: "Ask beforehand whether a path is allowed",
        command: "ambit check path --path a,b --target c --max 3",
      },
    ],
  },
  {
    name: "timeout",
    title: "Stopped too early, or far too late",
    signs: "Work ends with TIMEOUT or STALLED although it went well, or runs much longer than it should.",
    causes: [
      "The time of one attempt is delegation.parallel.timeoutSeconds, unless the story or its command says otherwise.",
      "A long build that prints nothing counts as silence (delegation.idle.stopSeconds).",
      "Research, plans and implementations have times of their own, with a maximum that no setting exceeds.",
    ],
    steps: [
      { text: "Compare with how long work here really takes", command: "ambit performance" },
      { text: "See which limits applied and where they come from", command: "ambit explain <id>" },
      {
        text: "Give each agent more time",
        command: "ambit config set delegation.parallel.timeoutSeconds 3600",
      },
      { text: "Let it be silent for longer", command: "ambit config set delegation.idle.stopSeconds 1800" },
      { text: "Continue what was stopped", command: "ambit resume <id>" },
    ],
  },
  {
    name: "validation",
    title: "Returns are not accepted",
    signs:
      "An agent did its work, and its return is refused with codes such as NOT_JSON or MISSING_FIELD:status.",
    causes: [
      "The agent writes prose where the contract asks for JSON; Ambit says what is wrong and asks again, twice at most. After that, only required criteria that pass can complete its work.",
      "It copied a session id of another attempt (SESSION_MISMATCH).",
      "It names an artifact that does not exist or is empty.",
    ],
    steps: [
      { text: "Read the contract that agents get", command: "ambit help contract" },
      { text: "Check a return yourself", command: "ambit check return return.json" },
      { text: "See which codes it was refused with", command: "ambit explain <id>" },
      { text: "See what the agent wrote", command: "ambit logs <id>" },
    ],
  },
  {
    name: "routing",
    title: "The wrong agent got the work",
    signs: "A different agent picked it up than you intended.",
    causes: [
      "A flag wins; after it comes the project's setting (agents.default).",
      "A definition of the same name in .ambit/agents hides one of another tool.",
      "The language of a task decides for workflow commands: flag, project, state.json, TODO.md, then general.",
    ],
    steps: [
      { text: "See which agent was chosen, and why", command: "ambit explain <id>" },
      { text: "See every agent and which file it comes from", command: "ambit agents list" },
      {
        text: "See the project's default and where it comes from",
        command: "ambit config get agents.default",
      },
      { text: "Name the agent yourself", command: 'ambit run "What is to be done" --agent claude' },
    ],
  },
];
