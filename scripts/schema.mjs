// Writes schema/<name>.json for every schema listed in src/contract/json-schemas.ts.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { buildJsonSchema, jsonSchemaNames } = await importContract();

mkdirSync("schema", { recursive: true });
for (const file of readdirSync("schema")) {
  if (!jsonSchemaNames.includes(file.replace(/\.json$/, ""))) rmSync(`schema/${file}`);
}
for (const name of jsonSchemaNames) {
  writeFileSync(`schema/${name}.json`, `${JSON.stringify(buildJsonSchema(name), null, 2)}\n`);
  console.log(`schema/${name}.json`);
}

/** Bundled to a data URL: Node 20 does not read TypeScript, and no build needs to exist. */
async function importContract() {
  const { outputFiles } = await build({
    entryPoints: ["src/contract/json-schemas.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
