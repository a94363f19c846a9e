import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command.description("Show, change or check settings. Each value is shown with who set it.");
  command
    .command("list")
    .description("Every setting that holds, with its origin.")
    .action(act(async (context) => (await import("./config/read.ts")).listConfig(context)))
    .addHelpText("after", "\nExample:\n  ambit config list --json");
  command
    .command("get")
    .description("One value, alone on stdout.")
    .argument("<key>", "such as delegation.maxDepth")
    .action(act(async (...call) => (await import("./config/read.ts")).getConfig(...call)))
    .addHelpText("after", "\nExample:\n  ambit config get delegation.maxDepth");
  command
    .command("set")
    .description("Set one key of ambit.yaml and leave the rest of the file as it is.")
    .usage("<key> <value> [--user]")
    .argument("<key>", "such as delegation.maxDepth")
    .argument("<value>", "none or null lifts a limit that may be lifted; lists by comma")
    .option("--user", "in your own configuration instead of the project's")
    .action(act(async (...call) => (await import("./config/write.ts")).setConfig(...call)))
    .addHelpText("after", "\nExample:\n  ambit config set delegation.cost.perStoryUsd 5");
  command
    .command("check")
    .description("Every problem of every file and variable, exit 2 when there is one.")
    .action(act(async (context) => (await import("./config/read.ts")).checkConfig(context)))
    .addHelpText("after", "\nExample:\n  ambit config check");
  command
    .command("schema")
    .description("The JSON Schema of ambit.yaml.")
    .action(act(async () => (await import("./config/schema.ts")).showSchema()))
    .addHelpText("after", "\nExample:\n  ambit config schema > ambit.schema.json");
  command
    .command("path")
    .description("Which files are read, strongest first.")
    .action(act(async (context) => (await import("./config/read.ts")).showPaths(context)))
    .addHelpText("after", "\nExample:\n  ambit config path");
  command.addHelpText("after", "\nExample:\n  ambit config set delegation.maxDepth 1");
}
