import type { Symptom } from "./symptom.ts";

/** Symptoms while work is going on. */
export const courseSymptoms: readonly Symptom[] = [
  {
    name: "hang",
    title: "A delegation hangs",
    signs: "Nothing moves, and no message says why.",
    causes: [
      "It waits for you: an approval or a question of a worker.",
      "It waits for a slot, for a part it depends on, or for a provider that said it is full.",
      "The agent is silent; it is warned about after delegation.idle.warnSeconds and stopped after stopSeconds.",
      "No supervisor runs any more, so nothing moves on by itself.",
      "The supervisor is stopped or busy without end; commands that need it end with SUPERVISOR_STUCK.",
      "The disk is full or read-only: work is paused and goes on by itself when there is room.",
    ],
    steps: [
      { text: "See what waits for you", command: "ambit inbox" },
      { text: "See why it is where it is", command: "ambit explain <id>" },
      { text: "See what its agent writes", command: "ambit logs <id> -f" },
      { text: "Go on where no supervisor runs", command: "ambit resume <id>" },
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
      "An agent named a role that is already above it; that is refused with CYCLE_DETECTED. Names of programs, such as claude, may repeat.",
      "An agent repeats the same calls with the same input. It is warned after 10 of them and stopped with AGENT_LOOPED after 25; its work is kept.",
      "Its checks stay red and it is given another try; retries are limited.",
    ],
    steps: [
      { text: "See the path of every worker and what was refused", command: "ambit tree <id>" },
      { text: "See what was refused, with the path", command: "ambit explain <id>" },
      { text: "What the code means", command: "ambit explain CYCLE_DETECTED" },
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
      "Long builds print nothing: silence counts, too (delegation.idle.stopSeconds).",
      "Research, plans and implementations have times of their own, with a maximum that no setting exceeds.",
    ],
    steps: [
      { text: "Compare with how long work here really takes", command: "ambit performance" },
      { text: "See which limits it stood under and who set them", command: "ambit explain <id>" },
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
      "The agent writes prose where the contract asks for JSON; it is told what was wrong, twice at most. After that, only required criteria that pass can complete its work.",
      "It copied a session id of another attempt (SESSION_MISMATCH).",
      "It names an artifact that does not exist or is empty.",
    ],
    steps: [
      { text: "Read the contract an agent is told", command: "ambit help contract" },
      { text: "Judge a return yourself", command: "ambit check return return.json" },
      { text: "See which codes it was refused with", command: "ambit explain <id>" },
      { text: "See what the agent wrote", command: "ambit logs <id>" },
    ],
  },
  {
    name: "routing",
    title: "The wrong agent got the work",
    signs: "A different agent picked it up than you intended.",
    causes: [
      "A flag goes before everything, then the project's setting (agents.default).",
      "A definition of the same name in .ambit/agents hides one of another tool.",
      "The language of a task decides for workflow commands: flag, project, state.json, TODO.md, then general.",
    ],
    steps: [
      { text: "See who was chosen, and why", command: "ambit explain <id>" },
      { text: "See every agent and which file it comes from", command: "ambit agents list" },
      {
        text: "See what the project's default is and who set it",
        command: "ambit config get agents.default",
      },
      { text: "Name the agent yourself", command: 'ambit run "What is to be done" --agent claude' },
    ],
  },
];
