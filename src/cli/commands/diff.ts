import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  const against = command.createOption("--against <what>", "what it is compared with");
  command
    .description("What the work changed: the files first, then every line.")
    .usage("[id] [--stat | --name-only] [--against base|story]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; the newest story")
    .option("--stat", "only the files, with added and removed lines")
    .option("--name-only", "only the names of the files")
    .addOption(against.choices(["base", "story"]).default("base"))
    .action(act(async (...call) => (await import("./review/diff.ts")).showDiff(...call)))
    .addHelpText("after", "\nExample:\n  ambit diff 2.1 --stat");
}
