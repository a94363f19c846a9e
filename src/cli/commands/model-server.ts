import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("A scripted model on loopback, to test agents without a network or a key.")
    .usage("--scripts <file> [--port <n>] [--log <file>]")
    .option("--scripts <file>", "YAML or JSON: {scripts: {name: [steps]}}; - for stdin")
    .option("--port <n>", "listen here; a free port when absent")
    .option("--log <file>", "append every request to it, one line of JSON each")
    .action(
      act(async (...call) => {
        const { runModelServer } = await import("./testing/run-model-server.ts");
        return runModelServer(...call);
      }),
    )
    .addHelpText("after", HELP);
}

const HELP = `
Speaks Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini.
A prompt with @@S:name plays the script of that name. Steps: text, write, read,
sh, delegate, call, calls, return; with delayMs, usage, error, cut.

Example:
  ambit model-server --scripts scripts.yaml --port 4010`;
