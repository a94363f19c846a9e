import type { Command } from "commander";
import type { ParsedText } from "../../app/directive.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber, requiredOption } from "../input/option-values.ts";
import { readInputText } from "../input/read-input.ts";
import { renderVerdict } from "../render/verdict.ts";

export function register(command: Command, act: Act): void {
  command.description("Find and check [delegate:description:hours] directives in text.");
  command
    .command("parse")
    .description("List the directives outside code. Exit 1 if one is malformed.")
    .argument("<file>", "the text, or - for standard input")
    .usage("<file> --parent <id>")
    .option("--parent <id>", "story or delegation the work belongs to")
    .option("--depth <n>", "depth of that parent; taken from its id by default")
    .action(act(parseText))
    .addHelpText("after", "\nExample:\n  ambit directive parse answer.md --parent US-007 --json");
  command
    .command("validate")
    .description("Check that a text is exactly one well-formed directive. Exit 1 if not.")
    .argument("<text>", "put -- before text that starts with -")
    .action(act(validateText))
    .addHelpText("after", '\nExample:\n  ambit directive validate "[delegate:Write the parser:4]"');
  command
    .command("count")
    .description("Count well-formed and malformed directives. Exit 1 if one is malformed.")
    .argument("<file>", "the text, or - for standard input")
    .action(act(countText))
    .addHelpText("after", "\nExample:\n  ambit directive count answer.md");
  command.addHelpText("after", "\nExample:\n  ambit directive parse - --parent US-007 < answer.md");
}

async function parseText(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { parseDirectivesUseCase } = await import("../../app/directive.ts");
  const parent = requiredOption(invocation, "parent");
  const depth = optionalWholeNumber(invocation, "depth");
  const text = await readInputText(invocation.argument("file"), context);
  const json = await parseDirectivesUseCase.run(context, { text, parent, depth });
  return {
    exitCode: json.errors.length === 0 ? exitCode.completed : exitCode.failed,
    json,
    text: renderDirectives(json, context),
  };
}

function renderDirectives({ delegations, errors }: ParsedText, context: CommandContext): string {
  if (delegations.length + errors.length === 0) return "no directives";
  const found = delegations.map(({ child_story_id: id, estimated_hours: hours, depth, description }) =>
    renderVerdict({ ok: true, message: `${id}  ${hours} h  depth ${depth}  ${description}` }, context),
  );
  const refused = errors.map(({ code, fragment }) =>
    renderVerdict({ ok: false, code, message: fragment }, context),
  );
  return [...found, ...refused].join("\n");
}

async function validateText(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { validateDirectiveUseCase } = await import("../../app/directive.ts");
  const json = await validateDirectiveUseCase.run(context, { text: invocation.argument("text") });
  const message = json.valid ? "one well-formed directive" : "not exactly one [delegate:description:hours]";
  return {
    exitCode: json.valid ? exitCode.completed : exitCode.failed,
    json,
    text: renderVerdict({ ok: json.valid, message }, context),
  };
}

async function countText(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { countDirectivesUseCase } = await import("../../app/directive.ts");
  const text = await readInputText(invocation.argument("file"), context);
  const json = await countDirectivesUseCase.run(context, { text });
  const isValid = json.invalid === 0;
  const message = `${json.count} well-formed, ${json.invalid} malformed`;
  return {
    exitCode: isValid ? exitCode.completed : exitCode.failed,
    json,
    text: renderVerdict({ ok: isValid, message }, context),
  };
}
