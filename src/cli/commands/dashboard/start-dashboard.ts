import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { usageError } from "../../../errors/usage.ts";
import { isLoopback, serveDashboard, type DashboardServing } from "../../../dashboard/serve-dashboard.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { openBrowser } from "./open-browser.ts";
import { prepareDashboard } from "../../../app/prepare-dashboard.ts";

export interface DashboardWish {
  /** 0 takes a free one. */
  readonly port: number;
  /** 127.0.0.1 when absent. */
  readonly host?: string;
  /** Whether others may reach it. */
  readonly isExposed?: boolean;
}

/** The dashboard of the project around the command, served from this process until it is closed. */
export async function startDashboard(
  context: CommandContext,
  { port, host = "127.0.0.1", isExposed = false }: DashboardWish,
): Promise<DashboardServing> {
  const views = await prepareDashboard(context);
  checkHost(context, host, isExposed);
  const program = process.argv[1] ?? "";
  return serveDashboard({
    ...views,
    assets: join(dirname(realpathSync(program)), "dashboard"),
    address: host,
    port,
  });
}

function checkHost(context: CommandContext, host: string, isExposed: boolean): void {
  if (isLoopback(host)) return;
  if (everywhere.has(host))
    throw usageError(`--host ${host} means every address at once`, "Name the one address others are to use.");
  if (!isExposed)
    throw usageError(
      `--host ${host} can be reached by others`,
      "Leave it out and use ssh -L to look from elsewhere, or add --expose if you trust that network.",
    );
  context.warn(
    `${host} can be reached by others, and nothing is encrypted: anyone who reads along can approve and stop`,
  );
}

const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::", "*", ""]);

/** Serves the dashboard for as long as a run is followed. */
export async function withDashboard(
  context: CommandContext,
  invocation: Invocation,
  run: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  if (invocation.flag("detach"))
    throw usageError(
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
