import { isRecord, readFieldAt } from "../../base/json.ts";
import { readListAt, readTextAt } from "../apis/json-fields.ts";

const MAX_LEVELS = 8;

/** The smallest value that fits a JSON schema well enough for a CLI that requires one. */
export function buildExampleValue(schema: unknown, levels = MAX_LEVELS): unknown {
  const choice =
    readListAt(schema, "enum")[0] ?? readFieldAt(schema, "const") ?? readFieldAt(schema, "default");
  if (choice !== undefined) return choice;
  const [option] = [...readListAt(schema, "anyOf"), ...readListAt(schema, "oneOf")];
  if (option !== undefined && levels > 0) return buildExampleValue(option, levels - 1);
  switch (readSchemaType(schema)) {
    case "string":
      return "scripted";
    case "number":
    case "integer":
      return readFieldAt(schema, "minimum") ?? 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "null":
      return null;
    default:
      return levels > 0 ? buildExampleObject(schema, levels) : {};
  }
}

function buildExampleObject(schema: unknown, levels: number): Readonly<Record<string, unknown>> {
  const required = readListAt(schema, "required").filter((name): name is string => typeof name === "string");
  const properties = readFieldAt(schema, "properties");
  if (!isRecord(properties)) return {};
  return Object.fromEntries(
    required.map((name) => [name, buildExampleValue(readFieldAt(properties, name), levels - 1)]),
  );
}

/** Gemini writes types in capitals; a list of types means any of them. */
function readSchemaType(schema: unknown): string {
  const [first] = readListAt(schema, "type");
  return (typeof first === "string" ? first : readTextAt(schema, "type")).toLowerCase();
}
