import { isatty } from "node:tty";
import { diffUseCase, type DiffAnswer } from "../../../app/diff.ts";
import { nothingYet } from "../../../app/open-project.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { renderDiff } from "../../render/diff.ts";
import { paint } from "../../render/paint.ts";
import { terminalWidth } from "../../render/terminal-width.ts";

type Kind = "stat" | "names" | "patch";

export async function showDiff(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const kind = readKind(invocation);
  const against = invocation.option("against") === "story" ? "story" : "base";
  const json = await diffUseCase.run(context, { id: invocation.argument("id"), kind, against });
  return { exitCode: exitCode.completed, json, text: renderAnswer(context, json, kind) };
}

function readKind(invocation: Invocation): Kind {
  const [stat, names] = [invocation.flag("stat"), invocation.flag("nameOnly")];
  if (stat && names) throw usage("--stat and --name-only exclude each other", "Choose one of them.");
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
