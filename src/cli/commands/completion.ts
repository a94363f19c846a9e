import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Print a script that lets your shell complete commands, options and ids.")
    .argument("<shell>", "bash, zsh, fish or pwsh")
    .action(act(async (...call) => (await import("./completion/print-script.ts")).printScript(...call)))
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
