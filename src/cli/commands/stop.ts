import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import { nameOutcome } from "../../contract/outcome.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { filledArgument } from "../input/option-values.ts";
import { nothingYet } from "../render/nothing-yet.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Stop a story, or one delegation with everything below it. Its work is kept.")
    .argument("<story>", "an id, its beginning or a path such as 2.1")
    .option("--reason <text>", "written into the journal", "asked by a person")
    .action(act(stopStory))
    .addHelpText("after", "\nExample:\n  ambit stop S-4k2m9x");
}

async function stopStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { stopUseCase } = await import("../../app/stop.ts");
  const id = filledArgument(invocation, "story");
  const json = await stopUseCase.run(context, { id, reason: invocation.option("reason") });
  return { exitCode: exitCode.completed, json, text: renderStop(json) };
}

interface Stop {
  readonly id?: string | undefined;
  readonly stopped: boolean;
  readonly outcome?: string | null | undefined;
}

function renderStop({ id, stopped, outcome }: Stop): string {
  if (id === undefined) return nothingYet;
  if (!stopped) return `${id} is not running; it ended ${nameOutcome(outcome ?? "open")}.`;
  return `${id} has stopped (${nameOutcome(outcome ?? "open")}); its work is kept.\n  look  ambit diff ${id}\n  next  ambit resume ${id}`;
}
