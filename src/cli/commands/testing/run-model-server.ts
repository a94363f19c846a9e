import { resolve } from "node:path";
import { exitCode } from "../../../contract/exit-code.ts";
import { parseScriptFile, type ModelScripts } from "../../../testing/index.ts";
import { startModelServer } from "../../../testing/model-server.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { unreadable } from "../../input-error.ts";
import { optionalWholeNumber, requiredOption } from "../../option-values.ts";
import { readInputText } from "../../read-input.ts";
import { writeOutput } from "../../write-output.ts";

/** Serves until it is interrupted. The address is all that goes to stdout, so that a script can read it. */
export async function runModelServer(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const scripts = await readScripts(context, requiredOption(invocation, "scripts"));
  const port = optionalWholeNumber(invocation, "port");
  const log = invocation.option("log");
  const server = await startModelServer({
    scripts,
    ...(port === undefined ? {} : { port }),
    ...(log === undefined ? {} : { log: resolve(context.directory, log) }),
  });
  const interrupted = waitForSignal();
  try {
    // With --json the one document comes at the end.
    if (context.json) context.progress(server.url);
    else await writeOutput("stdout", server.url);
    context.progress(`${Object.keys(scripts).length} scripts; Ctrl-C ends it`);
    await interrupted;
  } finally {
    await server.close();
  }
  const requests = server.requests();
  context.progress(`${requests.length} requests answered`);
  return { exitCode: exitCode.completed, json: { url: server.url, requests }, text: "" };
}

async function readScripts(context: CommandContext, name: string): Promise<ModelScripts> {
  const text = await readInputText(name, context);
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw unreadable(name, `is not valid YAML: ${problem.message}`);
  return parseScriptFile(document.toJS({ maxAliasCount: 100 }));
}

function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      process.off("SIGINT", end);
      process.off("SIGTERM", end);
      resolve();
    };
    process.on("SIGINT", end);
    process.on("SIGTERM", end);
  });
}
