import { join } from "node:path";
import { readRegularText, writeFileAtomically } from "../base/files.ts";

/**
 * The first line of a new ambit.yaml, for editors. It names a file of this repository, so that it is right for everyone
 * who clones it, wherever Ambit is installed, and without a network.
 */
export const SCHEMA_LINE = "# yaml-language-server: $schema=./.git/ambit/config-schema.json\n";

/** Keeps the schema of this version of Ambit in the state folder, which must be there. */
export async function keepSchemaCopy(stateDirectory: string, version: string): Promise<void> {
  const file = join(stateDirectory, "config-schema.json");
  const comment = `Ambit ${version} wrote this for your editor, and writes it again after an update.`;
  if (readRegularText(file)?.includes(comment) === true) return;
  const { buildJsonSchema } = await import("../contract/json-schemas.ts");
  const schema = { $comment: comment, ...buildJsonSchema("config") };
  writeFileAtomically(file, `${JSON.stringify(schema, null, 2)}\n`);
}
