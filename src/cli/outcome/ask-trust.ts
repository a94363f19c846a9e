import { isAgreed } from "../input/ask-person.ts";
import type { CommandContext } from "../input/command-module.ts";
import type { TrustQuestion } from "../render/trust.ts";

/**
 * Shows what the project names and asks; undefined where no question can be asked or seen. `--yes` of another command
 * does not answer this question.
 */
export async function askTrust(
  context: CommandContext,
  question: TrustQuestion,
): Promise<boolean | undefined> {
  if (context.quiet || !context.input()) return undefined;
  const [{ summarizeLines }, { renderTrustQuestion }] = await Promise.all([
    import("../../app/trust.ts"),
    import("../render/trust.ts"),
  ]);
  context.progress(renderTrustQuestion(question, summarizeLines));
  return isAgreed({ ...context, yes: false }, "Trust this project?");
}
