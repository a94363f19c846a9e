import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Begin anew with the same contract and base. The old work is kept.")
    .usage("<id> [options]")
    .argument("<id>", "an id, its beginning, @last or a path such as 2.1")
    .option("--note <text>", "what to do differently")
    .option("--agent <name>", "another agent")
    .option("--budget <dollars>", "another budget")
    .option("--timeout <seconds>", "another time limit")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act(async (...call) => (await import("./work/retry-story.ts")).retryStory(...call)))
    .addHelpText("after", '\nExample:\n  ambit retry 2.1 --note "Keep the public API as it is"');
}
