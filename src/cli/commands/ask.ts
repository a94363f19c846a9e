import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("For agents inside a story: ask the manager or the person a question.")
    .argument("<question>", "what you need to know")
    .option("--wait <seconds>", "how long to wait for the answer", "60")
    .action(
      act(async (context, invocation) => {
        const { askFromWorker } = await import("./worker/ask.ts");
        return askFromWorker(context, invocation);
      }),
    )
    .addHelpText("after", '\nExample:\n  ambit ask "uuid or bigint ids?"');
}
