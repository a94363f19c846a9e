import * as z from "zod";
import { agentReturnSchema } from "./agent-return.ts";
import { configSchema } from "./config.ts";
import { delegationRequestSchema } from "./delegation-request.ts";
import { journalEventSchema } from "./journal-event.ts";
import { messageSchema } from "./message.ts";
import { prdSchema } from "./story.ts";
import { taskSchema } from "./task.ts";
import { templateSchema } from "./template.ts";
import { todoItemSchema } from "./todo-item.ts";

/** Every schema published as `ambit/schema/<name>.json`. */
export const jsonSchemas = {
  "agent-return": agentReturnSchema,
  config: configSchema,
  "delegation-request": delegationRequestSchema,
  "journal-event": journalEventSchema,
  message: messageSchema,
  prd: prdSchema,
  task: taskSchema,
  template: templateSchema,
  "todo-item": todoItemSchema,
} as const;

export type JsonSchemaName = keyof typeof jsonSchemas;

const titles: Readonly<Record<JsonSchemaName, string>> = {
  "agent-return": "The return of a worker",
  config: "ambit.yaml",
  "delegation-request": "A request to delegate",
  "journal-event": "One event of the journal",
  message: "A message between manager and worker",
  prd: "A file of stories",
  task: "One numbered work item",
  template: "A way to divide a story",
  "todo-item": "One item of a manager's todo list",
};

export const jsonSchemaNames: readonly JsonSchemaName[] = Object.keys(jsonSchemas).filter(isJsonSchemaName);

function isJsonSchemaName(value: string): value is JsonSchemaName {
  return Object.hasOwn(jsonSchemas, value);
}

/**
 * Builds the published document (JSON Schema, draft 2020-12) for writers, so fields with a default are optional. Our
 * readers are more lenient in places, such as a number given as text; writers should follow the document.
 */
export function buildJsonSchema(name: JsonSchemaName): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(jsonSchemas[name], { io: "input", override: tidyJsonSchema });
  return { $schema, $id: `urn:ambit:schema:${name}`, title: titles[name], ...rest };
}

/**
 * `readonly` concerns our types; in a JSON Schema it would tell writers to omit the field. Bounds that only mean "an
 * integer that JSON can hold" are noise to a reader.
 */
export function tidyJsonSchema({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.readOnly;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
