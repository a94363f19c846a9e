import { isTerminal } from "./is-terminal.ts";
import type { Terminal } from "./terminal.ts";
import { writeOutput } from "./write-output.ts";

/** This process, as commands see it. */
export const processTerminal: Terminal = {
  environment: process.env,
  currentDirectory: () => process.cwd(),
  isTty: (stream) => isTerminal(DESCRIPTORS[stream]),
  stdin: () => process.stdin,
  writeError: (text) => void writeOutput("stderr", text),
};

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 } as const;
