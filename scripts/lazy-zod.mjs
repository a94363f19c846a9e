import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const IMPORT = 'import * as z from "zod";';
const NOT_VALUES = new Set(["core", "infer", "input", "output"]);

/**
 * Loading zod takes half as long as starting Node. The command line therefore has it once, in a file of its own that is
 * loaded when the first schema is built; a command that builds none never loads it.
 */
export const lazyZod = {
  name: "lazy-zod",
  setup: (build) => {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes(IMPORT)) return undefined;
      return { loader: "ts", contents: withLazyZod(text) };
    });
    build.onResolve({ filter: /^lazy-zod$/ }, () => ({ path: "lazy", namespace: "lazy-zod" }));
    build.onResolve({ filter: /^\.\/zod\.cjs$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: "lazy-zod" }, () => ({
      contents: 'export const zod = new Proxy({}, { get: (_, name) => require("./zod.cjs")[name] });',
    }));
  },
};

export function withLazyZod(text) {
  return text.replace(IMPORT, 'import { zod as z } from "lazy-zod";');
}

/** The content of `zod.cjs`: only the names that our schemas use, which is a quarter of zod. */
export function zodEntry() {
  const names = new Set();
  for (const entry of readdirSync("src", { recursive: true })) {
    if (!String(entry).endsWith(".ts")) continue;
    for (const [, name] of readFileSync(join("src", String(entry)), "utf8").matchAll(
      /(?<![.\w])z\.([a-zA-Z]+)/g,
    ))
      if (!NOT_VALUES.has(name)) names.add(name);
  }
  return {
    contents: `export { ${[...names].join(", ")} } from "zod";`,
    resolveDir: resolve("."),
    loader: "js",
  };
}
