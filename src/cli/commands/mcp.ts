import { mcpClientNames } from "../../app/mcp-client-names.ts";
import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { usage } from "../input/option-values.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Serve delegation tools to an agent's MCP client.")
    .usage("[--http [--port <n>]]")
    .option("--http", "on loopback instead of stdin and stdout")
    .option("--port <n>", "with --http: listen here; a free port when absent")
    .action(act(serveMcp))
    .addHelpText("after", HELP);
  registerInstall(command, act);
}

const CLIENTS = `${mcpClientNames.slice(0, -1).join(", ")} or ${mcpClientNames.at(-1) ?? ""}`;

function registerInstall(command: Command, act: Act): void {
  command
    .command("install")
    .description("Add ambit to a client's settings: shows the change; --yes writes it.")
    .usage("<client> [--user | --project] [--undo] [--yes]")
    .argument("<client>", CLIENTS)
    .option("--user", "in your own settings instead of the project's")
    .option("--project", "in the project's; codex is set up in your own")
    .option("--undo", "make the file what it was, or take only the entry out")
    .action(act(async (...call) => (await import("./mcp/install.ts")).installMcp(...call)))
    .addHelpText("after", "\nExamples:\n  ambit mcp install claude\n  ambit mcp install codex --yes");
  command
    .command("uninstall")
    .description("The same as install --undo: shows the change; --yes writes it.")
    .usage("<client> [--user | --project] [--yes]")
    .argument("<client>", CLIENTS)
    .option("--user", "in your own settings instead of the project's")
    .option("--project", "in the project's; codex is set up in your own")
    .action(act(async (...call) => (await import("./mcp/install.ts")).uninstallMcp(...call)))
    .addHelpText("after", "\nExample:\n  ambit mcp uninstall claude --yes");
}

const HELP = `
Inside a worker it speaks for that worker. In your own terminal it opens a story
with the first tool call, under the limits of the project.
With --http clients send the token of AMBIT_MCP_TOKEN, or one that is printed.

Example:
  ambit mcp install claude`;

/** Serves until its client is gone. Nothing but the protocol goes to stdout. */
async function serveMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const isHttp = invocation.flag("http");
  if (!isHttp && invocation.option("port") !== undefined)
    throw usage("--port is for --http", "Leave it out, or add --http.");
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
