import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command.description("The background process that owns this project's running work.");
  command
    .command("status")
    .description("Show whether it is running, its version and its stories.")
    .action(act(showStatus))
    .addHelpText("after", "\nExample:\n  ambit supervisor status --json");
  command
    .command("stop")
    .description("Stop it and what it runs; all work is kept.")
    .option("--force", "kill it if it does not answer within ten seconds; work is kept")
    .action(act(stopSupervisor))
    .addHelpText("after", "\nExamples:\n  ambit supervisor stop\n  ambit supervisor stop --force");
  command.addHelpText("after", "\nExample:\n  ambit supervisor status");
}

const NOT_RUNNING = "No supervisor is running; the next command that needs one starts it.";

async function showStatus(context: CommandContext): Promise<CommandOutcome> {
  const { supervisorStatusUseCase } = await import("../../app/supervisor-status.ts");
  const json = await supervisorStatusUseCase.run(context, {});
  const { running, pid, version, stories = [] } = json;
  const work = stories.length === 0 ? "idle" : `running ${stories.join(", ")}`;
  const text = running ? `process ${pid}, ambit ${version}, ${work}` : NOT_RUNNING;
  return { exitCode: exitCode.completed, json, text };
}

async function stopSupervisor(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { stopSupervisorUseCase } = await import("../../app/stop-supervisor.ts");
  const json = await stopSupervisorUseCase.run(context, { force: invocation.flag("force") });
  const how =
    json.killed === true
      ? "did not answer and was killed; the next command continues its work"
      : "has stopped";
  const text = json.pid === undefined ? NOT_RUNNING : `Process ${json.pid} ${how}.`;
  return { exitCode: exitCode.completed, json, text };
}
