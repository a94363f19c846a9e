import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("What agents wrote: of a story with all its workers, or of one task.")
    .usage("[id] [-f] [--tail <n>] [--raw | --events]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; the newest story")
    .option("-f, --follow", "go on until it ends")
    .option("--tail <n>", "only the newest lines of each task")
    .option("--raw", "the files as they are, when it goes to a pipe or file")
    .option("--events", "what happened to it, as NDJSON from the journal")
    .action(act(async (...call) => (await import("./see/logs.ts")).showLogs(...call)))
    .addHelpText("after", "\nExample:\n  ambit logs 2.1 -f --tail 20");
}
