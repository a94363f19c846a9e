// Writes schema/<name>.json for every schema listed in src/contract/json-schemas.ts, and
// schema/output/<command>.json for what every command prints with --json (the outputs of src/app/use-cases.ts).
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { buildJsonSchema, jsonSchemaNames } = await importSource("contract/json-schemas");
const { buildOutputSchema, outputFileNames } = await importSource("app/output-schemas");

await writeAll("schema", jsonSchemaNames, buildJsonSchema);
await writeAll("schema/output", outputFileNames, buildOutputSchema);

/** Removes the files of schemas that no longer exist. */
async function writeAll(folder, names, buildOne) {
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && !names.includes(entry.name.replace(/\.json$/, "")))
      rmSync(`${folder}/${entry.name}`);
  }
  for (const name of names) {
    writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(await buildOne(name), null, 2)}\n`);
    console.log(`${folder}/${name}.json`);
  }
}

/** Bundled first, because Node 20 does not read TypeScript; inside node_modules, so that packages are found. */
async function importSource(name) {
  const outfile = resolve(`node_modules/.cache/ambit/schema-${process.pid}/${basename(name)}.mjs`);
  const format = { bundle: true, platform: "node", format: "esm", packages: "external" };
  try {
    await build({ ...format, entryPoints: [`src/${name}.ts`], outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(dirname(outfile), { recursive: true, force: true });
  }
}
