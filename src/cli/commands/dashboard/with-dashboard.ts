import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { usage } from "../../input/option-values.ts";
import { openBrowser } from "./open-browser.ts";
import { startDashboard } from "./start-dashboard.ts";

/** Serves the dashboard for as long as a run is followed. */
export async function withDashboard(
  context: CommandContext,
  invocation: Invocation,
  run: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  if (invocation.flag("detach"))
    throw usage(
      "--dashboard ends with the command, and --detach ends it at once",
      "Use ambit dashboard instead.",
    );
  const serving = await startDashboard(context, { port: 0 });
  const closeBrowser = openBrowser(context, serving.url);
  context.progress(`dashboard  ${serving.url}`);
  try {
    return await run();
  } finally {
    closeBrowser?.();
    await serving.close();
  }
}
