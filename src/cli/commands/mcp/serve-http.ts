import { DelegationError } from "../../../base/delegation-error.ts";
import { randomBase36 } from "../../../base/ids.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { serveOverHttp, type HttpOptions } from "../../../mcp/serve-http.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { optionalWholeNumber } from "../../input/option-values.ts";
import { waitForSignal } from "../../terminal/wait-for-signal.ts";
import { writeOutput } from "../../terminal/write-output.ts";

const SECRET_LENGTH = 40;
const MIN_SECRET_LENGTH = 16;
const MAX_PORT = 65_535;

/** Serves until it is interrupted. Only the address, and a token if it was generated, go to stdout. */
export async function serveOnLoopback(
  context: CommandContext,
  invocation: Invocation,
  options: Omit<HttpOptions, "port" | "secret">,
): Promise<CommandOutcome> {
  const chosen = context.environment["AMBIT_MCP_TOKEN"];
  if (chosen !== undefined && chosen.length < MIN_SECRET_LENGTH) throw tooShort(chosen.length);
  const port = optionalWholeNumber(invocation, "port") ?? 0;
  if (port > MAX_PORT) throw noPort(port);
  const secret = chosen ?? randomBase36(SECRET_LENGTH);
  const interrupted = waitForSignal();
  const serving = await serveOverHttp({ ...options, port, secret });
  try {
    const lines = [serving.url, ...(chosen === undefined ? [`token ${secret}`] : [])];
    await writeOutput("stdout", lines.join("\n"));
    await interrupted;
  } finally {
    await serving.close();
  }
  return { exitCode: exitCode.completed, json: { url: serving.url }, text: "" };
}

function tooShort(length: number): DelegationError {
  return new DelegationError({
    code: "USAGE",
    message: `AMBIT_MCP_TOKEN has ${length} characters; it must have at least ${MIN_SECRET_LENGTH}.`,
    recommendation: "Choose a longer one, or leave it out to have one made.",
  });
}

function noPort(port: number): DelegationError {
  return new DelegationError({
    code: "USAGE",
    message: `--port ${port}: ports go up to ${MAX_PORT}.`,
    recommendation: "Leave it out to have a free one chosen.",
  });
}
