import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { renderDocument } from "../render/document.ts";
import { waitForSignal } from "../terminal/wait-for-signal.ts";
import { writeOutput } from "../terminal/write-output.ts";
import { openBrowser } from "./dashboard/open-browser.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Watch and steer this project's stories in a browser, until Ctrl-C.")
    .option("--port <n>", "the port; by default a free one")
    .option("--no-open", "only print the link, open no browser")
    .option("--host <address>", "an address of this machine; by default 127.0.0.1")
    .option("--expose", "allow a --host that others can reach, unencrypted")
    .action(act(runDashboard))
    .addHelpText("after", HELP);
}

const HELP = `
The link contains a token that is new each time. Anyone who has it can start,
answer, merge and stop work. Viewing needs no supervisor; acting starts one.

Example:
  ambit dashboard --port 4400`;

const MAX_PORT = 65_535;

/** Serves until it is interrupted. The link is all that goes to stdout; with --json it is the one document. */
async function runDashboard(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const port = optionalWholeNumber(invocation, "port") ?? 0;
  if (port > MAX_PORT)
    throw usageError(`--port is ${port}`, `Ports go up to ${MAX_PORT}; leave it out for a free one.`);
  const { startDashboard } = await import("./dashboard/start-dashboard.ts");
  const interrupted = waitForSignal();
  const host = invocation.option("host");
  const serving = await startDashboard(context, {
    port,
    ...(host === undefined ? {} : { host }),
    isExposed: invocation.flag("expose"),
  });
  const { url, origin } = serving;
  const closeBrowser = invocation.flag("open") && !context.json ? openBrowser(context, url) : undefined;
  try {
    const document = renderDocument({ url, origin, port: serving.port });
    await writeOutput("stdout", context.json ? document : url);
    context.progress("Ctrl-C ends it; stories continue without it.");
    await interrupted;
  } finally {
    closeBrowser?.();
    await serving.close();
  }
  // The document has been written already, and there is only one.
  if (context.json) process.exit(exitCode.completed);
  return { exitCode: exitCode.completed, json: { url, origin, port: serving.port }, text: "" };
}
