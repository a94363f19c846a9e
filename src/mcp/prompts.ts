import type { PromptFacts } from "./prompt-facts.ts";
import { workflowPrompts } from "./workflow-prompts.ts";

/** A few short ones; how a tool is called stands with the tool. */
export const prompts: readonly PromptFacts[] = [
  {
    name: "delegate-well",
    description: "How to hand out work so that it can be proven",
    text: async () => delegateWell,
  },
  {
    name: "return-contract",
    description: "What a return must look like",
    text: async () => {
      const { returnInstruction } = await import("../contract/return-instruction.ts");
      return `Hand in your return with submit_return; metadata is filled in for you.\n\n${returnInstruction()}`;
    },
  },
  ...workflowPrompts,
];

const delegateWell = [
  "Hand out work with delegate, all parts in one call: they run side by side.",
  "- One part, one outcome: a worker sees only its own task, your folder as it is now, and the context you give.",
  "- Say in accept how it is proven, best with a command in backticks: `npm test` passes.",
  "- Keep parts apart with file_scope; let one wait for another with depends_on.",
  "- Depth, number, money and time are limited; a refusal names the numbers. Do the work yourself then.",
  "- When delegate answers with a ticket, do what its advice says. When a worker asks, use reply; when a criterion has no check, look at diff, then verify.",
].join("\n");
