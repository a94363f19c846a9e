/** The small part of JSON Schema our tools are described with: enough for a model, and for reading what it sends. */
export type FieldSchema = TextSchema | NumberSchema | SwitchSchema | ListSchema | RecordSchema;

export interface TextSchema {
  readonly type: "string";
  readonly description?: string;
  readonly enum?: readonly string[];
}

export interface NumberSchema {
  readonly type: "number" | "integer";
  readonly description?: string;
}

export interface SwitchSchema {
  readonly type: "boolean";
  readonly description?: string;
}

export interface ListSchema {
  readonly type: "array";
  readonly description?: string;
  readonly items: FieldSchema;
}

export interface RecordSchema {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

export const text = (description: string): TextSchema => ({ type: "string", description });

export const oneOf = (description: string, ...values: readonly string[]): TextSchema => ({
  type: "string",
  description,
  enum: values,
});

export const number = (description: string): NumberSchema => ({ type: "number", description });

export const list = (items: FieldSchema, description: string): ListSchema => ({
  type: "array",
  description,
  items,
});

export const record = (
  properties: Readonly<Record<string, FieldSchema>>,
  required: readonly string[] = [],
): RecordSchema => ({ type: "object", properties, ...(required.length === 0 ? {} : { required }) });
