import type { PromptFacts } from "./prompt-facts.ts";
import { workflowPrompts } from "./workflow-prompts.ts";

/** A few short prompts; each tool describes its own call. */
export const prompts: readonly PromptFacts[] = [
  {
    name: "delegate-well",
    description: "How to delegate work so that it can be checked",
    text: async () => delegateWell,
  },
  {
    name: "return-contract",
    description: "The form of a return",
    text: async () => {
      const { returnInstruction } = await import("../../contract/return-instruction.ts");
      return `Submit your return with submit_return; metadata is filled in for you.\n\n${returnInstruction()}`;
    },
  },
  ...workflowPrompts,
];

const delegateWell = [
  "Delegate all parts in one delegate call: they run in parallel.",
  "- One part, one outcome: a worker sees only its own task, your folder as it is now, and the context you give.",
  "- Say in accept how it is proven, best with a command in backticks: `npm test` passes.",
  "- Keep parts apart with file_scope; let one wait for another with depends_on.",
  "- Depth, number, money and time are limited; a refusal names the numbers. If you are refused, do the work yourself.",
  "- When delegate answers with a ticket, do what its advice says. When a worker asks, use reply; when a criterion has no check, look at its patch, then verify.",
].join("\n");
