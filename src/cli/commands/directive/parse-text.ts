import {
  countDirectives,
  isDirective,
  parseDirectives,
  type ParsedDirectives,
} from "../../../contract/directive.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { storyIdSchema } from "../../../contract/identity.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { optionalWholeNumber, requiredOption, usage } from "../../option-values.ts";
import { readInputText } from "../../read-input.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { excerpt } from "../../../base/visible-text.ts";

export async function parseText(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const parentId = readParentId(invocation);
  const callerDepth = optionalWholeNumber(invocation, "depth");
  const text = await readInputText(invocation.argument("file"), context);
  const parsed = parseDirectives(text, {
    parentId,
    ...(callerDepth === undefined ? {} : { callerDepth }),
  });
  for (const warning of parsed.warnings) context.warn(warning.message);
  return {
    exitCode: parsed.errors.length === 0 ? exitCode.completed : exitCode.failed,
    json: { ...parsed },
    text: renderDirectives(parsed, context),
  };
}

function readParentId(invocation: Invocation): string {
  const id = requiredOption(invocation, "parent");
  const checked = storyIdSchema.safeParse(id);
  if (checked.success) return id;
  const reason = checked.error.issues[0]?.message ?? "is not an id";
  throw usage(`--parent "${excerpt(id)}" is not a story id: ${reason}`, "Give an id such as US-007.");
}

function renderDirectives({ delegations, errors }: ParsedDirectives, context: CommandContext): string {
  if (delegations.length + errors.length === 0) return "no directives";
  const found = delegations.map(({ child_story_id: id, estimated_hours: hours, depth, description }) =>
    renderVerdict({ ok: true, message: `${id}  ${hours} h  depth ${depth}  ${description}` }, context),
  );
  const refused = errors.map(({ code, fragment }) =>
    renderVerdict({ ok: false, code, message: fragment }, context),
  );
  return [...found, ...refused].join("\n");
}

export function validateText(context: CommandContext, invocation: Invocation): CommandOutcome {
  const valid = isDirective(invocation.argument("text"));
  const message = valid ? "one well-formed directive" : "not exactly one [delegate:description:hours]";
  return {
    exitCode: valid ? exitCode.completed : exitCode.failed,
    json: { valid },
    text: renderVerdict({ ok: valid, message }, context),
  };
}

export async function countText(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const text = await readInputText(invocation.argument("file"), context);
  const { count, invalid } = countDirectives(text);
  return {
    exitCode: invalid === 0 ? exitCode.completed : exitCode.failed,
    json: { count, invalid },
    text: renderVerdict(
      { ok: invalid === 0, message: `${count} well-formed, ${invalid} malformed` },
      context,
    ),
  };
}
