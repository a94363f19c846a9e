import { isatty } from "node:tty";
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

/** Asked of the descriptor, because setting up a standard stream takes time. */
function isTty(stream: OutputStream | "stdin"): boolean {
  return isatty(DESCRIPTORS[stream]);
}
