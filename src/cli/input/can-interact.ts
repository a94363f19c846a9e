import { isTerminal } from "../terminal/is-terminal.ts";
import type { CommandContext } from "./command-module.ts";

const STDOUT = 1;

/** Whether a person is at a terminal that can be drawn on; pipes, scripts and simple terminals get plain text. */
export function canInteract(context: CommandContext): boolean {
  return !context.json && context.input() && isTerminal(STDOUT) && context.environment["TERM"] !== "dumb";
}
