import type { JSONObject, Tool } from "@modelcontextprotocol/server";
import type { FieldSchema, RecordSchema } from "./tool-schema.ts";
import type { ToolFacts } from "./tool-list.ts";

/** A tool as it goes over the wire. */
export function showTool({ name, description, shown, isReadOnly }: ToolFacts): Tool {
  return {
    name,
    description,
    inputSchema: { type: "object", ...showFields(shown) },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: name === "cancel", openWorldHint: false },
  };
}

function showFields({ properties, required = [] }: RecordSchema) {
  const fields: Record<string, JSONObject> = {};
  for (const [name, field] of Object.entries(properties)) fields[name] = showField(field);
  return { properties: fields, ...(required.length === 0 ? {} : { required: [...required] }) };
}

function showField(field: FieldSchema): JSONObject {
  const { type, description = "" } = field;
  const told = { type, ...(description === "" ? {} : { description }) };
  if (field.type === "array") return { ...told, items: showField(field.items) };
  if (field.type === "object") return { ...told, ...showFields(field) };
  if (field.type === "string" && field.enum !== undefined) return { ...told, enum: [...field.enum] };
  return told;
}
