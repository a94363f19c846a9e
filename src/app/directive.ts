import * as z from "zod";
import { quoteExcerpt } from "../base/visible-text.ts";
import { countDirectives, isDirective, parseDirectives } from "../contract/directive.ts";
import { storyIdSchema } from "../contract/identity.ts";
import { usageError } from "../errors/usage.ts";
import { defineUseCase } from "./use-case.ts";
import { copyFields } from "./wire/copy-fields.ts";

const output = () =>
  z.looseObject({
    delegations: z.array(
      z.looseObject({
        description: z.string(),
        estimated_hours: z.number(),
        parent_story_id: z.string(),
        child_story_id: z.string(),
        depth: z.int(),
      }),
    ),
    errors: z.array(z.looseObject({ code: z.string(), fragment: z.string() })),
    warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  });

export type ParsedText = z.output<ReturnType<typeof output>>;

/** Every directive in a text, outside code; malformed ones are reported. */
export const parseDirectivesUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      text: z.string(),
      parent: z.string().describe("The story or delegation the work belongs to"),
      depth: z.int().min(0).optional().describe("Depth of that parent; taken from its id by default"),
    }),
  output,
  isReadOnly: true,
  run: async (context, { text, parent, depth }) => {
    const checked = storyIdSchema.safeParse(parent);
    if (!checked.success) {
      const reason = checked.error.issues[0]?.message ?? "is not an id";
      throw usageError(
        `--parent "${quoteExcerpt(parent)}" is not a story id: ${reason}`,
        "Give an id such as US-007.",
      );
    }
    const callerDepth = depth === undefined ? {} : { callerDepth: depth };
    const { delegations, errors, warnings } = parseDirectives(text, { parentId: parent, ...callerDepth });
    for (const { message } of warnings) context.warn(message);
    return {
      delegations: delegations.map(copyFields),
      errors: errors.map(copyFields),
      warnings: warnings.map(copyFields),
    };
  },
});

/** Is a text exactly one well-formed directive? */
export const validateDirectiveUseCase = defineUseCase({
  input: () => z.strictObject({ text: z.string() }),
  output: () => z.looseObject({ valid: z.boolean() }),
  isReadOnly: true,
  run: async (_context, { text }) => ({ valid: isDirective(text) }),
});

/** How many directives of a text are well-formed, and how many are not. */
export const countDirectivesUseCase = defineUseCase({
  input: () => z.strictObject({ text: z.string() }),
  output: () => z.looseObject({ count: z.int(), invalid: z.int() }),
  isReadOnly: true,
  run: async (_context, { text }) => ({ ...countDirectives(text) }),
});
