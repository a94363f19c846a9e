import { mcpClientNames } from "../../app/mcp-client-names.ts";
import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Serve delegation tools to an agent's MCP client.")
    .option("--http", "serve on 127.0.0.1 instead of stdin and stdout")
    .option("--port <n>", "with --http: the port; by default a free one")
    .action(act(serveMcp))
    .addHelpText("after", HELP);
  registerInstall(command, act);
}

const CLIENTS = `${mcpClientNames.slice(0, -1).join(", ")} or ${mcpClientNames.at(-1) ?? ""}`;

function registerInstall(command: Command, act: Act): void {
  command
    .command("install")
    .description("Add Ambit to a client's settings. Shows the change; --yes writes it.")
    .usage("<client> [--user | --project]")
    .argument("<client>", CLIENTS)
    .option("--user", "write to your own settings")
    .option("--project", "write to the project's settings; codex has none there")
    .option("--undo", "restore the file, or remove the entry if it has changed since")
    .action(act(async (...call) => (await import("./mcp/install.ts")).installMcp(...call)))
    .addHelpText("after", "\nExamples:\n  ambit mcp install claude\n  ambit mcp install codex --yes");
  command
    .command("uninstall")
    .description("Remove Ambit from a client's settings, like install --undo.")
    .usage("<client> [--user | --project]")
    .argument("<client>", CLIENTS)
    .option("--user", "write to your own settings")
    .option("--project", "write to the project's settings; codex has none there")
    .action(act(async (...call) => (await import("./mcp/install.ts")).uninstallMcp(...call)))
    .addHelpText("after", "\nExample:\n  ambit mcp uninstall claude --yes");
}

const HELP = `
Inside a worker it speaks for that worker. Started by your own agent, it opens a
story with the first tool call that needs one, within the project's limits.
With --http, clients send the token of AMBIT_MCP_TOKEN, or one that is printed.

Example:
  ambit mcp install claude`;

/** Serves until its client is gone. Nothing but the protocol goes to stdout. */
async function serveMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const isHttp = invocation.flag("http");
  if (!isHttp && invocation.option("port") !== undefined)
    throw usageError("--port is for --http", "Leave it out, or add --http.");
  const options = {
    version: context.version,
    environment: context.environment,
    program: [process.execPath, process.argv[1] ?? "", "__supervisor"],
    directory: context.directory,
    log: (line: string) => context.warn(line),
  };
  if (isHttp) return (await import("./mcp/serve-http.ts")).serveOnLoopback(context, invocation, options);
  const { serveOverStdio } = await import("../../mcp/serve-stdio.ts");
  await serveOverStdio(options);
  // A call that still waits would keep this process alive, although its client is gone.
  process.exit(exitCode.completed);
}
