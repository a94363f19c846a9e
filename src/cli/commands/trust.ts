import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import type { TrustAnswer } from "../../app/trust.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { isAgreed } from "../input/ask-person.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderTrust, renderTrustQuestion } from "../render/trust.ts";
import { renderVerdict } from "../render/verdict.ts";

export function register(command: Command, act: Act): void {
  command
    .description(
      "Decide whether this project may run what it names: setup and test commands,\nagents, commands in the criteria of tasks, and hooks and MCP servers in the\nsettings of agent programs. Ambit keeps your decision in your own configuration\nfolder. When something changes, it asks again and shows the difference.",
    )
    .option("--show", "only show what would run and whether you trust it")
    .option("--revoke", "forget the decision")
    .option("--prd <file>", "include the commands in the criteria of this PRD file")
    .action(act(decide))
    .addHelpText(
      "after",
      "\nIn CI, AMBIT_TRUST=1 allows it for one command and remembers nothing.\nExample:\n  ambit trust --show",
    );
}

async function decide(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  if (invocation.flag("show") && invocation.flag("revoke"))
    throw usageError("--show and --revoke contradict each other", "Use one of them.");
  if (invocation.flag("revoke")) return revoke(context);
  const { showTrustUseCase } = await import("../../app/trust.ts");
  const file = { prd: invocation.option("prd") };
  const answer = await showTrustUseCase.run(context, file);
  const isShown = invocation.flag("show") || answer.trusted;
  return isShown
    ? { exitCode: exitCode.completed, json: answer, text: renderTrust(answer) }
    : ask(context, answer, file);
}

async function ask(
  context: CommandContext,
  answer: TrustAnswer,
  file: { readonly prd: string | undefined },
): Promise<CommandOutcome> {
  const { acceptTrustUseCase, summarizeLines } = await import("../../app/trust.ts");
  const question = { ...answer, trustedAt: answer.trusted_at };
  context.progress(renderTrustQuestion(question, summarizeLines));
  if (!(await isAgreed(context, "Trust this project?")))
    return {
      exitCode: exitCode.failed,
      json: answer,
      text: "Nothing was changed; the project is not trusted.",
    };
  const json = await acceptTrustUseCase.run(context, { hash: answer.hash, ...file });
  const count = json.items.length === 1 ? "1 thing" : `${json.items.length} things`;
  const message = `You trust ${json.project} with ${count} that it names`;
  const line = renderVerdict({ ok: true, message }, context);
  return { exitCode: exitCode.completed, json, text: `${line}\n  undo  ambit trust --revoke` };
}

async function revoke(context: CommandContext): Promise<CommandOutcome> {
  const { revokeTrustUseCase } = await import("../../app/trust.ts");
  const json = await revokeTrustUseCase.run(context, {});
  const text = json.revoked ? "The decision is forgotten." : "There was no decision about this project.";
  return { exitCode: exitCode.completed, json, text };
}
