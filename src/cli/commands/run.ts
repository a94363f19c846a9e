import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description(
      "Run a story: a text, or a PRD file (.json). What is proven of it lands on the\nbranch ambit/<id>. A command after -- does it; its prompt is on stdin.",
    )
    .usage("<story> [options] [-- command...]")
    .argument("<story>")
    .argument("[command...]")
    .option("--agent <name>", "who works on it (ambit agents list)")
    .addOption(command.createOption("--model <name>", "the model the agent is asked to use").hideHelp())
    .addOption(command.createOption("--script <file>", "the built-in worker follows this script").hideHelp())
    .option("--accept <criterion...>", "what must be true in the end")
    .option("--scope <glob...>", "files it may change; others need your approval")
    .addOption(command.createOption("--context <text>", "background for the agent").hideHelp())
    .option("--id <id>", "the story's id; made up when absent")
    .option("--timeout <seconds>", "stop each agent after this long")
    .option("--budget <dollars>", "stop when all agents together have used this much")
    .addOption(command.createOption("--tokens <count>", "the same in tokens").hideHelp())
    .addOption(command.createOption("--depth <levels>", "levels of workers below it, 0 to 3").hideHelp())
    .addOption(command.createOption("--delegations <count>", "workers in its whole tree").hideHelp())
    .addOption(command.createOption("--parallel <count>", "workers at the same time").hideHelp())
    .option("--template <name>", "a way to divide it (ambit template list)")
    .option("--dry-run", "only predict: workers, cost, overlap, advice")
    .option("--isolation <kind>", "worktree, or sandbox: no own files, --network")
    .addOption(command.createOption("--network", "let a sandboxed program use the network").hideHelp())
    .option("--in-process", "without a supervisor: Ctrl-C stops it")
    .option("--detach", "return at once; watch it with ambit attach")
    .option("--dashboard", "show it in a browser meanwhile")
    .action(
      act(async (context, invocation) => {
        const { runStoryCommand } = await import("./work/run-story.ts");
        const run = () => runStoryCommand(context, invocation);
        if (!invocation.flag("dashboard")) return run();
        const { withDashboard } = await import("./dashboard/with-dashboard.ts");
        return withDashboard(context, invocation, run);
      }),
    )
    .addHelpText(
      "after",
      '\nAlso: --script --model --context --tokens --depth --delegations --parallel\nExample:\n  ambit run "Update the licence years" --accept "`npm test` passes" -- ./update-years.sh',
    );
}
