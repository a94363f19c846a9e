import { createInterface } from "node:readline";
import type { CommandContext } from "./command-module.ts";
import { usage } from "./option-values.ts";

/**
 * Whether a person agrees. `--yes` answers for them; where nobody can be asked, the command is refused and the flag
 * that answers is named.
 */
export async function isAgreed(context: CommandContext, question: string): Promise<boolean> {
  if (context.yes) return true;
  if (!context.input()) throw usage(`${question} Nobody can be asked here`, "Add --yes to agree.");
  const answer = await askLine(context, `${question} [y/N]`);
  return ["y", "yes"].includes(answer.toLowerCase());
}

/** One line of typing; empty when the input ends instead. The caller has made sure that somebody is there. */
async function askLine(context: CommandContext, question: string): Promise<string> {
  context.progress(question);
  const lines = createInterface({ input: context.stdin(), terminal: false });
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
  }
}
