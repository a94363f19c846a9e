// Writes schema/<name>.json for every schema listed in src/contract/json-schemas.ts, and
// schema/output/<command>.json for what every command prints with --json (src/contract/output-schemas.ts).
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { buildJsonSchema, jsonSchemaNames } = await importContract("json-schemas");
const { buildOutputSchema, outputFileNames } = await importContract("output-schemas");

writeAll("schema", jsonSchemaNames, buildJsonSchema);
writeAll("schema/output", outputFileNames, buildOutputSchema);

/** Files of schemas that are no more go. */
function writeAll(folder, names, buildOne) {
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && !names.includes(entry.name.replace(/\.json$/, "")))
      rmSync(`${folder}/${entry.name}`);
  }
  for (const name of names) {
    writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(buildOne(name), null, 2)}\n`);
    console.log(`${folder}/${name}.json`);
  }
}

/** Bundled to a data URL: Node 20 does not read TypeScript, and no build needs to exist. */
async function importContract(name) {
  const { outputFiles } = await build({
    entryPoints: [`src/contract/${name}.ts`],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
