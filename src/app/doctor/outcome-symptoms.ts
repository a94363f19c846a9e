import type { Symptom } from "./symptom.ts";

/** Symptoms, real or apparent, when the agents are done. */
export const outcomeSymptoms: readonly Symptom[] = [
  {
    name: "settle",
    title: "The last stage does not happen",
    signs: "An agent has returned, but nothing is merged and the task keeps its status.",
    causes: [
      "Its checks are still running, or another merge into the same branch comes first.",
      "A criterion has no check and waits for a person or its manager.",
      "The supervisor was killed between two stages; the next one continues from the last line of the journal.",
    ],
    steps: [
      { text: "See which criteria passed, failed or wait", command: "ambit verify <id>" },
      { text: "Decide what waits for you", command: "ambit inbox" },
      { text: "Let a supervisor finish what a killed one began", command: "ambit doctor --fix" },
      { text: "Start over with what cannot be finished", command: "ambit retry <id>" },
    ],
  },
  {
    name: "result",
    title: "A manager does not see its worker's result",
    signs: "A worker is done, and its manager continues as if it were not.",
    causes: [
      "The worker did not complete: only proven work is merged into the manager's folder, the rest is on its branch.",
      "The manager already has the result: Ambit gives each result once, in the prompt of the next turn.",
      "The manager is still waiting for others of the same batch.",
    ],
    steps: [
      { text: "See how every worker ended", command: "ambit tree <id>" },
      { text: "See why its work was not merged", command: "ambit explain <id>" },
      { text: "See what it changed anyway", command: "ambit diff <id>" },
      { text: "Read what the manager received", command: "ambit logs <id>" },
    ],
  },
  {
    name: "unverified",
    title: "No check can say whether it is done",
    signs: "Work ends partial because a criterion is unverified.",
    causes: [
      'The criterion is vague ("works correctly"): nothing can be run to prove it.',
      '"All tests pass" needs the project\'s test command (verification.test).',
      "A worker's own words never count as proof.",
    ],
    steps: [
      { text: "See which criterion, and what was found", command: "ambit verify <id>" },
      { text: "Name the test command once", command: 'ambit config set verification.test "npm test"' },
      { text: "Decide it yourself", command: "ambit approve <id>" },
      {
        text: "Next time name a command in backticks",
        command: `ambit run "What is to be done" --accept '\`npm test\` passes'`,
      },
    ],
  },
  {
    name: "worktrees",
    title: "Old worktrees and branches are in the way",
    signs: "A workspace cannot be made, or the folder `<project>.worktrees` grows.",
    causes: [
      "A supervisor was killed before it could clean up.",
      "Worktrees are kept on purpose (logging.saveWorktrees), or contain work that is on no branch.",
      "Somebody created a branch or folder with a name that Ambit uses.",
    ],
    steps: [
      { text: "See what is left behind", command: "ambit doctor" },
      { text: "Remove only what provably holds no work", command: "ambit clean" },
      { text: "Close what a dead supervisor left, then clean", command: "ambit doctor --fix" },
      {
        text: "See whether they are kept on purpose",
        command: "ambit config get delegation.logging.saveWorktrees",
      },
    ],
  },
];
