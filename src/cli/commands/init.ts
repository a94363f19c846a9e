import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Set this project up: looks around, shows ambit.yaml, writes it. Never overwrites.")
    .usage("[--yes] [--agent <name>] [--minimal] [--dry-run]")
    .option("--agent <name>", "who works on stories unless another is named")
    .option("--minimal", "only what differs from the defaults")
    .option("--dry-run", "only show it")
    .action(act(async (...call) => (await import("./setup/init-project.ts")).initProject(...call)))
    .addHelpText("after", "\nExample:\n  ambit init --yes --agent claude");
}
