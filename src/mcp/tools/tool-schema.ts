import * as z from "zod";

interface Described {
  readonly description?: string | undefined;
}

export interface ListSchema extends Described {
  readonly type: "array";
  readonly items: FieldSchema;
}

export interface RecordSchema extends Described {
  readonly type: "object";
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[] | undefined;
}

interface TextSchema extends Described {
  readonly type: "string";
  readonly enum?: readonly string[] | undefined;
}

interface PlainSchema extends Described {
  readonly type: "number" | "integer" | "boolean";
}

/** The part of JSON Schema that a model needs to call a tool, and that we need to read what it sends. */
export type FieldSchema = TextSchema | PlainSchema | ListSchema | RecordSchema;

const description = z.string().optional();
const recordSchema: z.ZodType<RecordSchema> = z.object({
  type: z.literal("object"),
  description,
  get properties() {
    return z.record(z.string(), fieldSchema);
  },
  required: z.array(z.string()).optional(),
});
const fieldSchema: z.ZodType<FieldSchema> = z.lazy(() =>
  z.union([
    z.object({ type: z.literal("string"), description, enum: z.array(z.string()).optional() }),
    z.object({ type: z.enum(["number", "integer", "boolean"]), description }),
    z.object({ type: z.literal("array"), description, items: fieldSchema }),
    recordSchema,
  ]),
);

/**
 * A tool's input as clients are told it. Limits are left out: every request of every agent carries these words, and the
 * runtime checks what it gets anyway.
 */
export function describeInput(input: z.ZodType): RecordSchema {
  return recordSchema.parse(z.toJSONSchema(input, { io: "input" }));
}
