import { safeText } from "../../base/safe-text.ts";

const sourceExtensions: ReadonlySet<string> = new Set(
  (
    "md mdx txt rst adoc ts tsx mts cts js jsx mjs cjs json jsonc yaml yml toml ini cfg conf env lock xml html htm css scss " +
    "svg png csv tsv sql py pyi rb go rs java kt scala swift c h cc cpp hpp cs php pl lua r jl lean tex bib proto graphql " +
    "vue svelte ipynb dockerfile gradle tf log pdf zip"
  ).split(" "),
);
const filesByName: ReadonlySet<string> = new Set([
  "Makefile",
  "Dockerfile",
  "LICENSE",
  "CODEOWNERS",
  "Procfile",
]);
/** Products with names that look like files. */
const products: ReadonlySet<string> = new Set(
  "node.js vue.js next.js nuxt.js react.js three.js express.js d3.js nest.js asp.net".split(" "),
);

/** Whether the name has the extension of a text, code or data file. Shell scripts are commands instead. */
export function hasSourceExtension(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot !== -1 && sourceExtensions.has(name.slice(dot + 1).toLowerCase());
}

/** The full path of a file inside the project; `isNamed` if the text itself calls it a file. */
export function isFilePath(text: string, isNamed: boolean): boolean {
  if (!isInsideProject(text) || /[*?{}]/.test(text) || text.endsWith("/")) return false;
  const name = text.slice(text.lastIndexOf("/") + 1);
  if (isNamed || filesByName.has(name) || name.endsWith(".sh")) return true;
  return hasSourceExtension(text) && !products.has(text.toLowerCase());
}

/** A file, a folder that ends in a slash, or a pattern. `users/login` is not one: it may be anything. */
export function isPathPattern(text: string): boolean {
  if (!isInsideProject(text)) return false;
  if (text.includes("*")) return text.includes("/") || hasSourceExtension(text);
  return text.endsWith("/") || isFilePath(text, false);
}

function isInsideProject(text: string): boolean {
  if (!/^[\p{L}\p{N}_.@+*?{},/[\]-]+$/u.test(text) || safeText(text) !== text) return false;
  return (
    /[\p{L}\p{N}*]/u.test(text) &&
    !text.startsWith("/") &&
    !text.startsWith("-") &&
    !text.split("/").includes("..")
  );
}
