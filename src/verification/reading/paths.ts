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
/** Named like files, and products nevertheless. */
const products: ReadonlySet<string> = new Set(
  "node.js vue.js next.js nuxt.js react.js three.js express.js d3.js nest.js asp.net".split(" "),
);

/** The name ends as files of text, code or data do; scripts for a shell are commands instead. */
export function hasSourceExtension(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot !== -1 && sourceExtensions.has(name.slice(dot + 1).toLowerCase());
}

/** A file inside the project, named in full; `isNamed` when the text itself calls it a file. */
export function isFilePath(text: string, isNamed: boolean): boolean {
  if (!isInside(text) || /[*?{}]/.test(text) || text.endsWith("/")) return false;
  const name = text.slice(text.lastIndexOf("/") + 1);
  if (isNamed || filesByName.has(name) || name.endsWith(".sh")) return true;
  return hasSourceExtension(text) && !products.has(text.toLowerCase());
}

/** A file, a folder with its slash, or a pattern of them. `users/login` may be anything. */
export function isPathPattern(text: string): boolean {
  if (!isInside(text)) return false;
  if (text.includes("*")) return text.includes("/") || hasSourceExtension(text);
  return text.endsWith("/") || isFilePath(text, false);
}

function isInside(text: string): boolean {
  if (!/^[\p{L}\p{N}_.@+*?{},/[\]-]+$/u.test(text) || safeText(text) !== text) return false;
  return (
    /[\p{L}\p{N}*]/u.test(text) &&
    !text.startsWith("/") &&
    !text.startsWith("-") &&
    !text.split("/").includes("..")
  );
}
