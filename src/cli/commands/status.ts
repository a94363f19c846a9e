import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("What needs you, what is worked on, what waits, what is done. Needs no supervisor.")
    .argument("[story]", "a story id or its beginning; @last or nothing for the newest")
    .option("--all", "every delegation, however many")
    .option("--watch", "keep it up to date; q or Ctrl-C ends the watch, not the work")
    .action(
      act(async (context, invocation) => {
        if (invocation.flag("watch")) {
          const { watchStatus } = await import("./report/watch-status.ts");
          return watchStatus(context, invocation);
        }
        const { showStatus } = await import("./report/status.ts");
        return showStatus(context, invocation);
      }),
    )
    .addHelpText("after", "\nExamples:\n  ambit status US-007\n  ambit status --watch");
}
