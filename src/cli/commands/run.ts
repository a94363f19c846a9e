import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Run a program as one bounded story in a workspace of its own.")
    .argument("<story>", "what is to be done, in one line")
    .argument("[command...]", "the program, after --; it gets the prompt on stdin")
    .option("--script <file>", "the built-in worker follows this script instead")
    .option("--id <id>", "the story's id; made up when absent")
    .option("--timeout <seconds>", "stop it after this long")
    .option("--budget <dollars>", "stop it when it has used this much")
    .option("--isolation <kind>", "worktree, or sandbox: no network, no view of your files")
    .option("--network", "let a sandboxed program use the network")
    .option("--in-process", "without a supervisor: Ctrl-C stops it")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(
      act(async (context, invocation) => {
        const { runStoryCommand } = await import("./work/run-story.ts");
        return runStoryCommand(context, invocation);
      }),
    )
    .addHelpText(
      "after",
      '\nExample:\n  ambit run "Update the licence years" --timeout 60 -- ./update-years.sh',
    );
}
