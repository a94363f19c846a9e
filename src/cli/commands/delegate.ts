import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("For agents inside a story: hand a part of the work to another agent.")
    .argument("[description]", "what is to be done")
    .option("--agent <name>", "who does it")
    .option("--accept <criterion...>", "what must be true in the end")
    .option("--scope <glob...>", "files it may change")
    .option("--depends-on <id...>", "delegations it waits for; #1 is the first of --tasks")
    .option("--priority <number>", "higher starts first; or low, medium, high")
    .option("--context <text>", "background for the worker")
    .option("--budget <dollars>", "what it may cost, out of what you have")
    .option("--timeout <seconds>", "how long it may take")
    .option("--tasks <json>", "several at once: a list of {description, agent, accept, …}")
    .option("--wait <seconds>", "how long to wait for the results", "60")
    .action(
      act(async (context, invocation) => {
        const { delegateFromWorker } = await import("./worker/delegate.ts");
        return delegateFromWorker(context, invocation);
      }),
    )
    .addHelpText(
      "after",
      '\nExample:\n  ambit delegate "Write the tests" --agent tester --accept "`npm test` passes"',
    );
}
