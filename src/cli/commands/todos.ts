import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("The task lists of a story's managers: what is delegated to whom, and how it stands.")
    .argument("[story]", "story or manager; the newest story when absent", "")
    .option("--update <json>", "for agents inside a story: tasks to add or change, - for standard input")
    .action(
      act(async (context, invocation) => {
        if (invocation.option("update") === undefined)
          return (await import("./see/todos.ts")).showTodos(context, invocation);
        return (await import("./worker/update-todos.ts")).updateTodos(context, invocation);
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  ambit todos --verbose
  ambit todos --update '[{"id":"docs","status":"completed"}]'`,
    );
}
