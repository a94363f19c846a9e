import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Run a one-line task as a story of its own; its agent may delegate.")
    .usage("<task> [options] [-- command...]")
    .argument("<story>", "the task, in one line")
    .argument("[command...]", "any program instead of an agent, after --")
    .option("--agent <name>", "who works on it (.ambit/agents/<name>.md)")
    .option("--model <name>", "the model the agent is asked to use")
    .option("--script <file>", "the built-in worker follows this script instead")
    .option("--accept <criterion...>", "what must be true in the end")
    .option("--id <id>", "its id; Q-… when absent")
    .option("--timeout <seconds>", "stop each agent after this long")
    .option("--budget <dollars>", "stop when all agents have used this much")
    .option("--in-process", "without a supervisor: Ctrl-C stops it")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act(async (...call) => (await import("./work/quick-task.ts")).runQuickTask(...call)))
    .addHelpText("after", '\nExample:\n  ambit quick "Fix the typo in the README" --agent claude');
}
