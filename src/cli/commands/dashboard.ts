import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Watch and steer this project's runs in a browser, until Ctrl-C.")
    .usage("[--port <n>] [--no-open]")
    .option("--port <n>", "listen here; a free port when absent")
    .option("--no-open", "only print the link, open no browser")
    .option("--host <address>", "an address of this machine; 127.0.0.1 when absent")
    .option("--expose", "allow a --host that others can reach, unencrypted")
    .action(
      act(async (context, invocation) => {
        const { runDashboard } = await import("./dashboard/run-dashboard.ts");
        return runDashboard(context, invocation);
      }),
    )
    .addHelpText("after", HELP);
}

const HELP = `
The link holds a token that is new each time: whoever has it can approve and
stop. It needs no supervisor to look; answers and stops start one.

Example:
  ambit dashboard --port 4400`;
