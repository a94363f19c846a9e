import type { Command } from "commander";

/** Commands that are about a task; the others take any words. */
const taskCommands: ReadonlySet<string> = new Set(["research", "plan", "implement", "revise"]);

/** The arguments and flags that all workflow commands have in common. */
export function addWorkflowOptions(command: Command, name: string): Command {
  const described =
    name === "meta"
      ? command.argument("[words...]", "what is wanted")
      : taskCommands.has(name)
        ? command.argument("<task>", "the task's number").argument("[words...]", "anything to add")
        : command.argument("[words...]", "a task's number, or what is to be reviewed");
  return described
    .option("--agent <name>", "who does it, instead of whom it is routed to")
    .option("--lang <name>", "route as if the task were in this language")
    .option("--timeout <seconds>", "stop the agent after this long")
    .option("--budget <dollars>", "stop when all agents have used this much")
    .option("--fresh", "do not go on from what an earlier run left")
    .option("--detach", "return at once; watch it with ambit attach");
}
