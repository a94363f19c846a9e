import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Is this machine and project ready, and is anything left behind?")
    .option("--fix", "close what a dead supervisor left and remove leftovers")
    .action(
      act(async (context, invocation) => {
        const { diagnose } = await import("./work/diagnose.ts");
        return diagnose(context, invocation.flag("fix"));
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit doctor --fix");
}
