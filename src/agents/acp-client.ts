import { realpathSync, writeSync } from "node:fs";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { systemClock } from "../base/clock.ts";
import { startAgent } from "./acp/agent-process.ts";
import { Conversation } from "./acp/conversation.ts";
import { failedEnding, type Ending } from "./acp/ending.ts";
import { readLaunchFile, WIND_DOWN_LINE } from "./acp/launch-file.ts";
import { LineReader } from "./acp/line-reader.ts";
import { renderAcpLine, type AcpLine } from "./acp/lines.ts";

const STOPPED = 143;

/**
 * The process between the runtime and an agent that speaks the Agent Client Protocol. It starts the agent, has the
 * conversation its launch file describes and prints events as lines of JSON. SIGTERM cancels the turn first.
 */
export async function runAcpClient(launchFile: string, environment: NodeJS.ProcessEnv): Promise<number> {
  const print = createPrinter();
  const launch = readLaunchFile(launchFile);
  const cwd = process.cwd();
  const agent = await startAgent({
    command: launch.command,
    searchPath: launch.search_path ?? environment["PATH"] ?? "",
    cwd,
    environment,
  });
  if (agent === undefined) {
    const message = `The program ${launch.command[0] ?? ""} is not installed on this machine.`;
    printEnding(print, failedEnding("AGENT_NOT_INSTALLED", message), "");
    return 1;
  }
  const writable = [
    ...launch.writable,
    realpathSync(cwd),
    getTemporaryFolder(),
    environment["AMBIT_SCRATCHPAD"] ?? cwd,
  ];
  const conversation = new Conversation({ agent, launch: { ...launch, writable }, cwd, print });
  const heeded = listenForRequests(conversation);
  const ending = await conversation.runConversation();
  // Print the verdict before anything slow, so that it cannot be lost.
  printEnding(print, ending, conversation.lastMessage);
  await agent.endProcess(heeded.isStopped());
  if (ending.ok) return 0;
  return heeded.isStopped() ? STOPPED : 1;
}

function printEnding(print: (line: AcpLine) => void, ending: Ending, text: string): void {
  const { failure, ok, reason, message } = ending;
  if (failure !== undefined)
    print({
      acp: "provider-failed",
      status: failure.status,
      message: failure.message,
      rate_limit: failure.isRateLimit,
      ...(failure.retryAfterMs === undefined ? {} : { retry_after_ms: failure.retryAfterMs }),
    });
  print({ acp: "final", ok, reason, message, text });
}

/** The runtime asks us to stop by a signal, and to report by a line on our input. */
function listenForRequests(conversation: Conversation): { readonly isStopped: () => boolean } {
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    conversation.stopTurn();
  };
  process.on("SIGTERM", stop).on("SIGINT", stop).on("SIGHUP", stop);
  const lines = new LineReader((line) => {
    if (line.kind === "line" && line.text.trim() === WIND_DOWN_LINE) conversation.askForReport();
  });
  process.stdin.on("data", (chunk: Buffer) => lines.pushChunk(chunk));
  // The end of our input means nothing: usually it has ended before we start.
  process.stdin.on("error", () => undefined);
  return { isStopped: () => isStopped };
}

const STDOUT = 1;
const ALIVE_EVERY_MS = 5000;

/** Prints a sign of life only if nothing else was printed for a while. */
function createPrinter(): (line: AcpLine) => void {
  let printedMs = 0;
  return (line) => {
    const nowMs = systemClock.monotonicMs();
    if (line.acp === "alive" && nowMs - printedMs < ALIVE_EVERY_MS) return;
    printedMs = nowMs;
    writeAllBytes(Buffer.from(`${renderAcpLine(line)}\n`));
  };
}

function writeAllBytes(bytes: Buffer): void {
  for (let from = 0; from < bytes.length;) from += writeSync(STDOUT, bytes, from);
}
