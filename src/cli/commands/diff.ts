import { isatty } from "node:tty";
import type { Command } from "commander";
import type { DiffAnswer } from "../../app/diff.ts";
import { nothingYet } from "../render/nothing-yet.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { usageError } from "../../errors/usage.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { renderDiff } from "../render/diff.ts";
import { paint } from "../terminal/paint.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

export function register(command: Command, act: Act): void {
  const against = command.createOption("--against <what>", "what to compare with");
  command
    .description("Show the changes of the work: the files first, then every line.")
    .usage("[id] [--stat | --name-only]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; by default the newest story")
    .option("--stat", "only the files, with added and removed lines")
    .option("--name-only", "only the names of the files")
    .option("--attempt <number>", "only what this attempt changed")
    .option("--compare <number>", "with --attempt: what changed since this earlier attempt")
    .addOption(against.choices(["base", "story"]).default("base"))
    .action(act(showDiff))
    .addHelpText("after", "\nExample:\n  ambit diff 2.1 --stat");
}

type Kind = "stat" | "names" | "patch";

async function showDiff(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { diffUseCase } = await import("../../app/diff.ts");
  const kind = readKind(invocation);
  const against = invocation.option("against") === "story" ? "story" : "base";
  const id = invocation.argument("id");
  const [attempt, compareWith] = ["attempt", "compare"].map((name) =>
    optionalWholeNumber(invocation, name, 1),
  );
  const json = await diffUseCase.run(context, { id, kind, against, attempt, compareWith });
  return { exitCode: exitCode.completed, json, text: renderAnswer(context, json, kind) };
}

function readKind(invocation: Invocation): Kind {
  const [stat, names] = [invocation.flag("stat"), invocation.flag("nameOnly")];
  if (stat && names) throw usageError("--stat and --name-only exclude each other", "Choose one of them.");
  if (stat) return "stat";
  return names ? "names" : "patch";
}

const STDOUT = 1;

function renderAnswer(context: CommandContext, answer: DiffAnswer, kind: Kind): string {
  if (answer.id === null) return kind === "names" ? "" : nothingYet;
  return renderDiff(answer, {
    kind,
    ascii: context.ascii,
    width: terminalWidth(context.environment),
    paint: paint(context.color("stdout")),
    isSafe: isatty(STDOUT),
  });
}
