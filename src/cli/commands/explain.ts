import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Why work is where it is: reasons, limits with their origin, refusals, next steps.")
    .usage("[id | CODE]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; or an error code")
    .action(act(async (...call) => (await import("./see/explain.ts")).explain(...call)))
    .addHelpText("after", "\nExamples:\n  ambit explain 2.1\n  ambit explain MAX_DEPTH_EXCEEDED");
}
