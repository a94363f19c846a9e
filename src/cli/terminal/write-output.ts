import { fstatSync, writeSync } from "node:fs";
import { readErrorCode } from "../../base/delegation-error.ts";
import { neutralizeCommands } from "./runner-commands.ts";
import type { OutputStream } from "./terminal.ts";

/** How writing ended; `closed` means that the reader went away, as in `ambit … | head`. */
export type WriteResult =
  | { readonly status: "written" }
  | { readonly status: "closed" }
  | { readonly status: "failed"; readonly error: unknown };

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/**
 * Resolves when the text has left this process, so that exiting afterwards cannot cut it off.
 * Written to the descriptor itself: setting up `process.stdout` is a noticeable part of a short command.
 */
export function writeOutput(stream: OutputStream, text: string): Promise<WriteResult> {
  const shown = isReadByRunner(stream) ? neutralizeCommands(text) : text;
  const bytes = Buffer.from(shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(DESCRIPTORS[stream], bytes, written);
    return Promise.resolve({ status: "written" });
  } catch (error) {
    // A non-blocking pipe is full: the stream can wait for it.
    if (readErrorCode(error) === "EAGAIN") return writeLater(stream, bytes.subarray(written));
    return Promise.resolve(failedWrite(error));
  }
}

/** In a GitHub job the runner reads everything that is printed, except what is redirected into a file. */
function isReadByRunner(stream: OutputStream): boolean {
  if (process.env["GITHUB_ACTIONS"] !== "true") return false;
  try {
    return !fstatSync(DESCRIPTORS[stream]).isFile();
  } catch {
    // Closed; the write itself says so.
    return true;
  }
}

function writeLater(stream: OutputStream, bytes: Uint8Array): Promise<WriteResult> {
  const target = process[stream];
  return new Promise((resolve) => {
    // A failed write also raises an event that would end the process with a stack without a listener.
    const onError = (error: Error): void => resolve(failedWrite(error));
    target.on("error", onError);
    target.write(bytes, (error) => {
      if (error !== null && error !== undefined) return resolve(failedWrite(error));
      target.off("error", onError);
      return resolve({ status: "written" });
    });
  });
}

function failedWrite(error: unknown): WriteResult {
  const isClosed = ["EPIPE", "ECONNRESET"].includes(readErrorCode(error));
  return isClosed ? { status: "closed" } : { status: "failed", error };
}
