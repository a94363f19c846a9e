import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";

const TASKS = "numbers, ranges or all: 343-345,337";

export function register(command: Command, act: Act): void {
  command.description("The project's task list: specs/state.json and specs/TODO.md, kept in step.");
  registerReading(command, act);
  registerOne(command, act);
  registerMany(command, act);
  registerFiles(command, act);
  command.addHelpText(
    "after",
    '\nExamples:\n  ambit task add "Fix the login"\n  ambit task list --status planned',
  );
}

function registerReading(command: Command, act: Act): void {
  command
    .command("list")
    .description("List the tasks that are not archived, a line each.")
    .option("--status <status>", "only these: one or several, such as planned,partial")
    .option("--lang <language>", "only these: one or several, such as lean,general")
    .option("--priority <priority>", "only these: high, medium, low, or several")
    .option("--archived", "list the archived tasks instead")
    .action(act(async (...call) => (await import("./task/read-tasks.ts")).listTasks(...call)))
    .addHelpText("after", "\nExample:\n  ambit task list --status not_started --priority high");
  command
    .command("show")
    .description("Show a task: status, description, criteria, artifacts, dependencies.")
    .argument("<task>", "its number or id; archived ones are found too")
    .action(act(async (...call) => (await import("./task/read-tasks.ts")).showTask(...call)))
    .addHelpText("after", "\nExample:\n  ambit task show 244");
}

function registerOne(command: Command, act: Act): void {
  describeTask(command.command("add").description("Add a task; it gets the next number."))
    .argument("<title>", "the task, in a few words")
    .option("--dry-run", "say what would change, change nothing")
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).addTask(...call)))
    .addHelpText(
      "after",
      "\nExample:\n  ambit task add \"Fix the login\" --lang python --accept '`npm test` passes'",
    );
  bulk(
    describeTask(
      command.command("edit").description("Change fields of tasks; all other fields stay as they are."),
    ),
  )
    .argument("<tasks...>", TASKS)
    .option("--title <title>", "the new title")
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).editTasks(...call)))
    .addHelpText("after", "\nExample:\n  ambit task edit 244 --priority high --depends 240,241");
  command
    .command("divide")
    .description("Split a task into subtasks: all of them, or none.")
    .argument("<task>", "its number or id")
    .option("--into <title...>", "the titles of the subtasks")
    .option("--from <file>", "or a JSON list of subtasks with all fields; - for stdin")
    .option("--prompt <text>", "or let an agent propose them, with this instruction")
    .option("--agent <name>", "with --prompt: the agent; by default the project's")
    .option("--dry-run", "say what would change, change nothing")
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).divideTask(...call)))
    .addHelpText(
      "after",
      '\nExamples:\n  ambit task divide 326 --into "User interface" "Backend" "Tests"\n  ambit task divide 326 --prompt "Focus on UI, backend, tests"',
    );
}

/** The fields of a task that can be set when it is added or edited. */
function describeTask(command: Command): Command {
  return command
    .option("--description <text>", "more than fits into the title")
    .option("--lang <language>", "decides which agent works on it")
    .option("--priority <priority>", "high, medium or low")
    .option("--depends <tasks>", "tasks that must be done first: 240,241")
    .option("--accept <criterion...>", "a condition that the work must meet");
}

function registerMany(command: Command, act: Act): void {
  bulk(command.command("status").description("Set the status of tasks, as the transition table allows."))
    .usage("<tasks...> <status>")
    .argument("<tasks...>", TASKS)
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).setStatus(...call)))
    .addHelpText("after", "\nExample:\n  ambit task status 343-345 planned");
  bulk(command.command("archive").description("Move finished tasks to archive/state.json."))
    .argument("<tasks...>", TASKS)
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).archiveTasks(...call)))
    .addHelpText("after", "\nExample:\n  ambit task archive all --dry-run");
  bulk(command.command("recover").description("Bring archived tasks back."))
    .argument("<tasks...>", TASKS)
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).recoverTasks(...call)))
    .addHelpText("after", "\nExample:\n  ambit task recover 343-345, 337");
  bulk(command.command("abandon").description("Abandon and archive tasks; recover brings them back."))
    .argument("<tasks...>", TASKS)
    .option("--reason <text>", "why")
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).abandonTasks(...call)))
    .addHelpText("after", '\nExample:\n  ambit task abandon 343-345 --reason "superseded by 350"');
  bulk(
    command
      .command("sync")
      .description("Bring TODO.md and state.json together; say which side won, and why."),
  )
    .argument("[tasks...]", `${TASKS}; by default all`)
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).syncTasks(...call)))
    .addHelpText("after", "\nExample:\n  ambit task sync 343-345 --dry-run");
}

function bulk(command: Command): Command {
  return command
    .option("--dry-run", "say what would change, change nothing")
    .option("--continue-on-error", "change what can be changed; without it, all or none");
}

function registerFiles(command: Command, act: Act): void {
  command
    .command("import")
    .description("Add tasks from another tool's file: Task Master, a JSON list, a TODO.md.")
    .argument("<file>", "its path, or - for stdin")
    .option("--dry-run", "say what would change, change nothing")
    .option("--continue-on-error", "change what can be changed; without it, all or none")
    .action(act(async (...call) => (await import("./task/change-tasks.ts")).importTasks(...call)))
    .addHelpText("after", "\nExample:\n  ambit task import .taskmaster/tasks/tasks.json --dry-run");
}
