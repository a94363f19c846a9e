import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { optionalWholeNumber, usage } from "../../input/option-values.ts";
import { renderDocument } from "../../render/document.ts";
import { waitForSignal } from "../../terminal/wait-for-signal.ts";
import { writeOutput } from "../../terminal/write-output.ts";
import { openBrowser } from "./open-browser.ts";
import { startDashboard } from "./start-dashboard.ts";

const HIGHEST_PORT = 65_535;

/** Serves until it is interrupted. The link is all that goes to stdout; with --json it is the one document. */
export async function runDashboard(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const port = optionalWholeNumber(invocation, "port") ?? 0;
  if (port > HIGHEST_PORT)
    throw usage(`--port is ${port}`, `Ports go up to ${HIGHEST_PORT}; leave it out for a free one.`);
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
    context.progress("Ctrl-C ends it; runs go on without it.");
    await interrupted;
  } finally {
    closeBrowser?.();
    await serving.close();
  }
  // The document has been written already, and there is only one.
  if (context.json) process.exit(exitCode.completed);
  return { exitCode: exitCode.completed, json: { url, origin, port: serving.port }, text: "" };
}
