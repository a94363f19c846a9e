import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Go on with work that was interrupted, stopped or limited, from what was kept.")
    .usage("[id] [options]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; the newest story")
    .option("--note <text>", "what to do differently")
    .option("--agent <name>", "another agent")
    .option("--budget <dollars>", "another budget")
    .option("--timeout <seconds>", "another time limit")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act(async (...call) => (await import("./work/resume-story.ts")).resumeStory(...call)))
    .addHelpText("after", "\nExample:\n  ambit resume S-4k2m9x --budget 8");
}
