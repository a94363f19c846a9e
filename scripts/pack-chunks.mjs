// Puts chunks that are loaded together into one file: opening a file costs more than skipping functions that are not called.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Writes one file per pack with everything its sources load at once, except what is in an earlier pack. The chunks keep
 * their identity: each is evaluated once, when it is needed.
 */
export function packChunks(folder, metafile, packs) {
  const packOf = new Map();
  for (const [pack, sources] of Object.entries(packs))
    for (const name of findLoaded(metafile, sources)) if (!packOf.has(name)) packOf.set(name, pack);
  for (const pack of Object.keys(packs)) writePack(folder, pack, packOf);
  const others = Object.keys(metafile.outputs).map((path) => basename(path, ".js"));
  for (const name of others) if (!packOf.has(name)) redirect(join(folder, `${name}.cjs`), packOf);
}

/** Lets `main.cjs` load `file` instead of the chunk of `source`. */
export function redirectTo(folder, metafile, { source, file }) {
  const chunk = basename(findOutput(metafile, source), ".js");
  const main = join(folder, "main.cjs");
  const code = readFileSync(main, "utf8");
  const changed = code.replaceAll(`require("./${chunk}.cjs")`, `require("./${file}")`);
  if (changed === code) throw new Error(`main.cjs does not load ${source}`);
  writeFileSync(main, changed);
  rmSync(join(folder, `${chunk}.cjs`));
}

function writePack(folder, pack, packOf) {
  const names = [...packOf].filter(([, home]) => home === pack).map(([name]) => name);
  const factories = names.map((name) => {
    const file = join(folder, `${name}.cjs`);
    const code = redirected(readFileSync(file, "utf8"), packOf)
      .replaceAll(`require("./${pack}.cjs")(`, "load(")
      // It only tells Node's own modules which names a file exports.
      .replace(/0&&\(module\.exports=\{[^{}]*\}\);\s*$/, "")
      .replaceAll(new RegExp(Object.keys(SHARED).join("|"), "g"), (name) => SHARED[name]);
    rmSync(file);
    return `${JSON.stringify(name)}:(exports,require,module)=>{${code}\n}`;
  });
  const shared = Object.entries(SHARED).map(([name, short]) => `${short}=${name}`);
  const code = `const ${shared.join(",")};\nconst factories={${factories.join(",\n")}};\n${LOADER}`;
  writeFileSync(join(folder, `${pack}.cjs`), code);
}

/** Every chunk begins with these; no name that esbuild shortens begins with two of these signs. */
const SHARED = {
  "Object.defineProperty": "$$p",
  "Object.getOwnPropertyDescriptor": "$$d",
  "Object.getOwnPropertyNames": "$$n",
  "Object.prototype.hasOwnProperty": "$$h",
};

const LOADER = `const loaded=new Map();
const load=module.exports=(name)=>{
  const known=loaded.get(name);
  if(known!==undefined)return known.exports;
  const chunk={exports:{}};
  loaded.set(name,chunk);
  factories[name](chunk.exports,require,chunk);
  return chunk.exports;
};
`;

/** The chunks of the given sources and of all that they import at once, not those they load later. */
function findLoaded(metafile, sources) {
  const waiting = sources.map((source) => findOutput(metafile, source));
  const found = new Set();
  for (const path of waiting) {
    if (found.has(basename(path, ".js"))) continue;
    found.add(basename(path, ".js"));
    for (const { path: target, kind, external } of metafile.outputs[path].imports)
      if (kind === "import-statement" && !external) waiting.push(target);
  }
  return found;
}

function findOutput(metafile, source) {
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source);
  if (entry === undefined) throw new Error(`${source} is not loaded with import() by any command`);
  return entry[0];
}

function redirect(file, packOf) {
  const code = readFileSync(file, "utf8");
  const changed = redirected(code, packOf);
  if (changed !== code) writeFileSync(file, changed);
}

function redirected(code, packOf) {
  return code.replaceAll(/require\("\.\/([^"]+)\.cjs"\)/g, (all, name) =>
    packOf.has(name) ? `require("./${packOf.get(name)}.cjs")(${JSON.stringify(name)})` : all,
  );
}
