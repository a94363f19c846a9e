import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { completionScripts, shells } from "../completion/scripts.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Print a script that lets your shell complete commands, options and ids.")
    .argument("<shell>", "bash, zsh, fish or pwsh")
    .action(act(printScript))
    .addHelpText("after", HELP);
}

const HELP = `
Put the line for your shell into its start-up file:
  bash  source <(ambit completion bash)
  zsh   source <(ambit completion zsh)      after compinit
  fish  ambit completion fish | source
  pwsh  ambit completion pwsh | Out-String | Invoke-Expression

Example:
  ambit completion bash > ~/.local/share/bash-completion/completions/ambit`;

function printScript(_context: CommandContext, invocation: Invocation): CommandOutcome {
  const name = invocation.argument("shell");
  const shell = shells.find((one) => one === name);
  if (shell === undefined)
    throw usageError(
      `there is no completion for "${quoteExcerpt(name)}"`,
      `Name one of ${shells.join(", ")}.`,
    );
  const script = completionScripts[shell];
  return { exitCode: exitCode.completed, json: { shell, script }, text: script };
}
