import { fstatSync } from "node:fs";
import type { OutputStream, Terminal } from "./terminal.ts";
import { writeOutput } from "./write-output.ts";

/** This process, as commands see it. */
export const processTerminal: Terminal = {
  environment: process.env,
  currentDirectory: () => process.cwd(),
  isTty,
  stdin: () => process.stdin,
  writeError: (text) => void writeOutput("stderr", text),
};

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 } as const;

/** Setting up a standard stream takes time, and only a character device can be a terminal. */
function isTty(stream: OutputStream | "stdin"): boolean {
  try {
    // Streams that are no terminal, such as /dev/null, do not have the property at all.
    return fstatSync(DESCRIPTORS[stream]).isCharacterDevice() && Boolean(process[stream].isTTY);
  } catch {
    // A descriptor that was never opened is not a terminal.
    return false;
  }
}
