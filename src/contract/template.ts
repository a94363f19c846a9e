import * as z from "zod";
import { filledText, lenientList, lenientNumber, nullsAbsent } from "./lenient.ts";
import { hardCaps } from "./limits.ts";
import { isRelativeGlob, relativeGlobRule } from "./relative-glob.ts";

const MAX_ENTRIES = 50;
const MAX_LINE_LENGTH = 500;
const MAX_TEXT_LENGTH = 16_000;

const line = filledText.max(MAX_LINE_LENGTH);
const list = lenientList(z.array(line).max(MAX_ENTRIES));
const partName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, "use letters, digits, - and _");
const relativeGlob = line.refine(isRelativeGlob, relativeGlobRule);

/** One part of the work, in the fields of a delegation. `{story}` is replaced by the story's own text. */
const templatePartSchema = nullsAbsent(
  z.strictObject({
    name: partName.optional().describe("How `after` of other parts calls it"),
    description: line,
    hours: lenientNumber(z.number().gt(0).max(1000)).optional().describe("3 to 8 is ideal"),
    agent: line.optional(),
    accept: list.optional().describe("Acceptance criteria; a command in backticks is run as a check"),
    scope: lenientList(z.array(relativeGlob).max(MAX_ENTRIES)).optional().describe("Files it may change"),
    after: lenientList(z.array(partName).max(MAX_ENTRIES)).optional().describe("Parts it waits for"),
    context: z.string().max(MAX_TEXT_LENGTH).optional(),
  }),
);

/**
 * A way to divide a story (R8, R181). With `example` the parts are only an illustration and the manager chooses its
 * own; without it they are the actual parts, and the runtime delegates them itself unless `handout` says otherwise.
 */
export const templateSchema = nullsAbsent(
  z
    .strictObject({
      title: line,
      summary: line.describe("When to use it"),
      avoid: line.optional().describe("When not to use it"),
      depth: lenientNumber(z.int().min(1).max(hardCaps.maxDepth))
        .optional()
        .describe("Levels of workers it is meant for"),
      example: line.optional().describe("The story the parts are an example for"),
      handout: z
        .enum(["manager", "runtime", "proposal"])
        .optional()
        .describe(
          "The side that delegates the parts; proposal: the runtime, after a worker has proposed them",
        ),
      parts: z.array(templatePartSchema).max(hardCaps.maxDelegations).default([]),
      guidance: z.string().max(MAX_TEXT_LENGTH).default("").describe("Told to the manager"),
    })
    .superRefine((template, check) => {
      for (const problem of findTemplateProblems(template)) check.addIssue({ code: "custom", ...problem });
    }),
);

export type Template = z.infer<typeof templateSchema>;
export type TemplatePart = z.infer<typeof templatePartSchema>;

interface Problem {
  readonly path: (string | number)[];
  readonly message: string;
}

interface Shape {
  readonly example?: string | undefined;
  readonly handout?: "manager" | "runtime" | "proposal" | undefined;
  readonly guidance: string;
  readonly parts: readonly {
    readonly name?: string | undefined;
    readonly after?: readonly string[] | undefined;
  }[];
}

function findTemplateProblems({ parts, handout, example, guidance }: Shape): readonly Problem[] {
  if (parts.length === 0 && guidance.trim() === "")
    return [{ path: ["parts"], message: "names no part and gives no guidance" }];
  if (handout === "runtime" && (parts.length === 0 || example !== undefined))
    return [{ path: ["handout"], message: "runtime needs parts that are not an example" }];
  if (handout === "proposal" && parts.length > 0)
    return [{ path: ["handout"], message: "proposal needs guidance and no parts" }];
  const seen = new Set<string>();
  return parts.flatMap(({ name, after = [] }, index) => {
    // A part can only wait for earlier parts, so that cycles are impossible.
    const unknown = after.filter((one) => !seen.has(one));
    const isDouble = name !== undefined && seen.has(name);
    if (name !== undefined) seen.add(name);
    return [
      ...unknown.map((one) => ({ path: ["parts", index, "after"], message: `no earlier part is "${one}"` })),
      ...(isDouble ? [{ path: ["parts", index, "name"], message: `"${name}" is taken` }] : []),
    ];
  });
}
