import type { Command } from "commander";
import { followInTerminal } from "../follow/follow-in-terminal.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { filledArgument } from "../input/option-values.ts";
import { addVariableOption, readBudget, readTimeout, readVariables } from "./story-options.ts";

/** Declares `resume` or `retry`: a new story after one that has ended. */
export function register(command: Command, act: Act): void {
  if (command.name() === "resume") registerResume(command, act);
  else registerRetry(command, act);
  addVariableOption(command)
    .option("--note <text>", "a note about what to do differently")
    .option("--agent <name>", "another agent")
    .option("--budget <dollars>", "another budget")
    .option("--timeout <seconds>", "another time limit")
    .option("--detach", "return at once; watch it with ambit attach");
}

function registerResume(command: Command, act: Act): void {
  command
    .description("Continue work that was interrupted, stopped or limited, from what was kept.")
    .usage("[id] [options]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; by default the newest story")
    .action(act(resumeStory))
    .addHelpText("after", "\nExample:\n  ambit resume S-4k2m9x --budget 8");
}

function registerRetry(command: Command, act: Act): void {
  command
    .description("Start over with the same goal, limits and base. The old work is kept.")
    .usage("<id> [options]")
    .argument("<id>", "an id, its beginning, @last or a path such as 2.1")
    .action(act(retryStory))
    .addHelpText("after", '\nExample:\n  ambit retry 2.1 --note "Keep the public API as it is"');
}

async function resumeStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { resumeUseCase } = await import("../../app/resume.ts");
  const outcome = await followInTerminal(context, (app) => resumeUseCase.run(app, readFollowUp(invocation)));
  const { story, after, outcome: ended } = outcome.json;
  if (after === undefined || ended !== "completed") return outcome;
  const text = `${after} is completed; there is nothing to continue.\n  next   ambit merge ${story}    ambit retry ${after}`;
  return { ...outcome, text };
}

async function retryStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { retryUseCase } = await import("../../app/retry.ts");
  const input = { ...readFollowUp(invocation), id: filledArgument(invocation, "id") };
  return followInTerminal(context, (app) => retryUseCase.run(app, input));
}

/** The id and options that `resume` and `retry` have in common. */
function readFollowUp(invocation: Invocation) {
  const changes = {
    note: invocation.option("note"),
    agent: invocation.option("agent"),
    budgetUsd: readBudget(invocation),
    timeoutSeconds: readTimeout(invocation),
    env: readVariables(invocation),
  };
  return { id: invocation.argument("id"), changes, detach: invocation.flag("detach") };
}
