import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Bring a story's proven work into your branch: shown first, undoable. Exit 7 on conflict.")
    .usage("[id] [options]")
    .argument("[id]", "a story id or its beginning; the newest story")
    .option("--into <branch>", "another branch than the one checked out here")
    .option("--squash", "as one commit")
    .option("--dry-run", "only say what would happen")
    .option("--partial", "also a story that is not completed")
    .option("--undo", "take its newest merge back")
    .action(act(async (...call) => (await import("./review/merge.ts")).mergeStory(...call)))
    .addHelpText("after", "\nExample:\n  ambit merge S-4k2m9x --dry-run");
}
