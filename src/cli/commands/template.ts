import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command.description("Ways to divide a story: built in, or in .ambit/templates. Use: ambit run --template.");
  command
    .command("list")
    .description("Every template that can be used here, and what is wrong with the others.")
    .action(act(async (context) => (await import("./template/list.ts")).listTemplatesHere(context)))
    .addHelpText("after", "\nExample:\n  ambit template list");
  command
    .command("show")
    .description("What a template says, with its parts as directives.")
    .argument("<name>", "a template of ambit template list")
    .action(act(async (...call) => (await import("./template/show.ts")).showTemplate(...call)))
    .addHelpText("after", "\nExample:\n  ambit template show test-driven");
  command
    .command("add")
    .description("Copy templates into .ambit/templates, after showing all they say. Runs nothing.")
    .usage("<source> [--ref <name>] [--replace] [--dry-run]")
    .argument("<source>", "a folder, a template file, or a git URL (https, ssh)")
    .option("--ref <name>", "branch or tag of the git URL")
    .option("--replace", "also replace templates that are there and differ")
    .option("--dry-run", "only show them")
    .action(act(async (...call) => (await import("./template/add.ts")).addTemplates(...call)))
    .addHelpText("after", "\nExample:\n  ambit template add https://example.org/our/templates.git --yes");
  command
    .command("compare")
    .description("How stories went that were divided one way or another, from the journal.")
    .option("--stories <count>", "newest stories to look at", "200")
    .action(act(async (...call) => (await import("./template/compare.ts")).compareTemplates(...call)))
    .addHelpText("after", "\nExample:\n  ambit template compare --json");
  command.addHelpText("after", "\nExample:\n  ambit template show feature");
}
