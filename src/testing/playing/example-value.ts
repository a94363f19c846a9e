import { field, isRecord, listAt, textAt } from "../apis/json-fields.ts";

const MOST_LEVELS = 8;

/** The smallest value that fits a JSON schema, near enough to satisfy a CLI that insists on one. */
export function exampleValue(schema: unknown, levels = MOST_LEVELS): unknown {
  const choice = listAt(schema, "enum")[0] ?? field(schema, "const") ?? field(schema, "default");
  if (choice !== undefined) return choice;
  const [option] = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
  if (option !== undefined && levels > 0) return exampleValue(option, levels - 1);
  switch (typeOf(schema)) {
    case "string":
      return "scripted";
    case "number":
    case "integer":
      return field(schema, "minimum") ?? 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "null":
      return null;
    default:
      return levels > 0 ? exampleObject(schema, levels) : {};
  }
}

function exampleObject(schema: unknown, levels: number): Readonly<Record<string, unknown>> {
  const required = listAt(schema, "required").filter((name): name is string => typeof name === "string");
  const properties = field(schema, "properties");
  if (!isRecord(properties)) return {};
  return Object.fromEntries(
    required.map((name) => [name, exampleValue(field(properties, name), levels - 1)]),
  );
}

/** Gemini writes types in capitals; a list of types means any of them. */
function typeOf(schema: unknown): string {
  const [first] = listAt(schema, "type");
  return (typeof first === "string" ? first : textAt(schema, "type")).toLowerCase();
}
