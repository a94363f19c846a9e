import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { usage } from "../../input/option-values.ts";

/** Serves until its client is gone. Nothing but the protocol goes to stdout. */
export async function serveMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const isHttp = invocation.flag("http");
  if (!isHttp && invocation.option("port") !== undefined)
    throw usage("--port is for --http", "Leave it away, or add --http.");
  const options = {
    version: context.version,
    environment: context.environment,
    program: [process.execPath, process.argv[1] ?? "", "__supervisor"],
    directory: context.directory,
    log: (line: string) => context.warn(line),
  };
  if (isHttp) return (await import("./serve-http.ts")).serveOnLoopback(context, invocation, options);
  const { serveOverStdio } = await import("../../../mcp/serve-stdio.ts");
  await serveOverStdio(options);
  // A call that still waits would hold this process; whom it waits for needs it no longer.
  process.exit(exitCode.completed);
}
