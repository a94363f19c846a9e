import { exitCode } from "../../../contract/exit-code.ts";
import { shells } from "../../completion/shells.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { usage } from "../../input/option-values.ts";
import { quoteExcerpt } from "../../../base/visible-text.ts";
import { completionScripts } from "./scripts.ts";

export function printScript(_context: CommandContext, invocation: Invocation): CommandOutcome {
  const name = invocation.argument("shell");
  const shell = shells.find((one) => one === name);
  if (shell === undefined)
    throw usage(`there is no completion for "${quoteExcerpt(name)}"`, `Name one of ${shells.join(", ")}.`);
  const script = completionScripts[shell];
  return { exitCode: exitCode.completed, json: { shell, script }, text: script };
}
