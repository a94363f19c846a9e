import * as z from "zod";
import { isVariableName, isVariablePattern } from "./variable-names.ts";

const MAX_NAME_LENGTH = 200;
const MAX_VALUE_LENGTH = 100_000;

const variableName = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine(isVariableName, "must name variables, such as DATABASE_URL; AMBIT_* is Ambit's own");

/** A variable's name, or the beginning of several names: `AWS_*`. */
export const passedNameSchema = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine(isVariablePattern, "must name variables, such as DATABASE_URL or AWS_*; AMBIT_* is Ambit's own");

/** The names of MCP servers and the commands that start them, speaking over standard input and output. */
export const mcpServersSchema = z.record(
  z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "is not a name of an MCP server"),
  z.string().min(1).max(4000),
);

/** Names with their values; numbers and switches are written as YAML has them. */
export const variablesSchema = z.record(
  variableName,
  z.union([z.string().max(MAX_VALUE_LENGTH), z.number(), z.boolean()]),
);

/** The variables that one story gets in addition to those of the project's settings. */
export const storyVariablesSchema = z.strictObject({
  pass: z.array(passedNameSchema).max(100).default([]),
  set: variablesSchema.default({}),
});

export type StoryVariables = z.infer<typeof storyVariablesSchema>;

/** Processes know text only. */
export function formatValues(variables: z.infer<typeof variablesSchema>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]));
}
