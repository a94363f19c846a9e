import { createInterface } from "node:readline";
import { usageError } from "../../errors/usage.ts";
import type { CommandContext } from "./command-module.ts";

/**
 * Whether the person agrees. `--yes` answers for them; without a terminal to ask on, the command is refused and the
 * error names the flag.
 */
export async function isAgreed(context: CommandContext, question: string): Promise<boolean> {
  if (context.yes) return true;
  if (!context.input()) throw usageError(`${question} There is no terminal to ask on`, "Add --yes to agree.");
  const answer = await askLine(context, `${question} [y/N]`);
  return ["y", "yes"].includes(answer.toLowerCase());
}

/** One typed line; empty when the input ends instead. The caller has checked that a person is there. */
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
