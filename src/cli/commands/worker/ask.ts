import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { parseWholeNumber } from "../../option-values.ts";
import { callRuntime } from "./call-runtime.ts";

const answerSchema = z.object({ answer: z.string().nullable(), advice: z.string() });

export async function askFromWorker(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const waitSeconds = parseWholeNumber(invocation.option("wait") ?? "60", "--wait");
  const question = invocation.argument("question");
  const { answer, advice } = answerSchema.parse(await callRuntime(context, "ask", { question, waitSeconds }));
  return {
    exitCode: answer === null ? exitCode.blocked : exitCode.completed,
    json: { answer, advice },
    text: answer ?? advice,
  };
}
