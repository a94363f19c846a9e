import { resolve } from "node:path";
import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber, requiredOption } from "../input/option-values.ts";
import { readInputText } from "../input/read-input.ts";
import { waitForSignal } from "../terminal/wait-for-signal.ts";
import { writeOutput } from "../terminal/write-output.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Run a scripted model on 127.0.0.1, to test agents without a network or a key.")
    .usage("--scripts <file>")
    .option("--scripts <file>", "YAML or JSON: {scripts: {name: [steps]}}; - for stdin")
    .option("--port <n>", "the port; by default a free one")
    .option("--log <file>", "append every request to it, one line of JSON each")
    .action(act(runModelServer))
    .addHelpText("after", HELP);
}

const HELP = `
Speaks Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini.
A prompt with @@S:name plays the script of that name. Steps: text, write, read,
sh, delegate, call, calls, return; with delayMs, usage, error, cut.

Example:
  ambit model-server --scripts scripts.yaml --port 4010`;

/** Serves until it is interrupted. Only the address goes to stdout, so that a script can read it. */
async function runModelServer(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { startScriptedModel } = await import("../../app/model-server.ts");
  const name = requiredOption(invocation, "scripts");
  const port = optionalWholeNumber(invocation, "port");
  const log = invocation.option("log");
  const server = await startScriptedModel({
    name,
    text: await readInputText(name, context),
    options: {
      ...(port === undefined ? {} : { port }),
      ...(log === undefined ? {} : { log: resolve(context.directory, log) }),
    },
  });
  const interrupted = waitForSignal();
  try {
    // With --json the one document comes at the end.
    if (context.json) context.progress(server.url);
    else await writeOutput("stdout", server.url);
    context.progress(`${server.scriptCount} scripts; Ctrl-C ends it`);
    await interrupted;
  } finally {
    await server.close();
  }
  const requests = server.requests();
  context.progress(`${requests.length} requests answered`);
  return { exitCode: exitCode.completed, json: { url: server.url, requests }, text: "" };
}
