import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command.description("The background process that owns this project's running work.");
  command
    .command("status")
    .description("Is one running, which version, with what?")
    .action(
      act(async (context) => {
        const { supervisorStatus } = await import("./work/supervisor-status.ts");
        return supervisorStatus(context);
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit supervisor status --json");
  command
    .command("stop")
    .description("Stop it and what it runs; all work is kept.")
    .action(
      act(async (context) => {
        const { supervisorStop } = await import("./work/supervisor-status.ts");
        return supervisorStop(context);
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit supervisor stop");
  command.addHelpText("after", "\nExample:\n  ambit supervisor status");
}
