import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { answerQuestion } from "./answer-question.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Answer a worker's question in words; it continues with your answer.")
    .argument("<id>", "the question, or the work that has exactly one")
    .argument("<text...>", "the answer; put -- before text that starts with -")
    .action(
      act((context, invocation) => {
        // Several words are one text, so that quotes may be omitted.
        const reason = invocation.argumentList("text").join(" ").trim();
        return answerQuestion(context, { id: invocation.argument("id"), answer: "replied", reason });
      }),
    )
    .addHelpText("after", '\nExample:\n  ambit reply S-4k2m9x "Use uuid"');
}
