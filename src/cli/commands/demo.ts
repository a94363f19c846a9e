import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("See it work: a real story in a temporary repository, offline, with scripted agents.")
    .option("--fail <how>", "see a promise kept instead: budget, crash, conflict or liar")
    .option("--keep", "leave the repository behind to look around in")
    .action(
      act(async (context, invocation) => {
        const { runDemo } = await import("./demo/run-demo.ts");
        return runDemo(context, { fail: invocation.option("fail"), keep: invocation.flag("keep") });
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit demo --fail liar");
}
