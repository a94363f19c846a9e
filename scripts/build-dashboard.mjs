// Builds the browser app: hashed files that may be kept for ever, one page that names them, and a check of their size.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { basename, join } from "node:path";
import { createHash } from "node:crypto";
import { build } from "esbuild";

const APP = "src/dashboard/app";
/** gzip, in bytes: what the first page needs before it shows something, and everything together. */
const FIRST_LOAD_LIMIT = 150_000;
const WHOLE_APP_LIMIT = 320_000;

/** Writes index.html and assets/ into a folder; gives the sizes and the source files that went into it. */
export async function buildDashboard(folder, { isForCoverage = false } = {}) {
  const { metafile, outputFiles } = await build({
    entryPoints: { app: `${APP}/main.tsx`, style: `${APP}/styles/style.css` },
    outdir: join(folder, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    minify: !isForCoverage,
    ...(isForCoverage ? { sourcemap: "external", sourcesContent: false } : {}),
    metafile: true,
    write: false,
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  const entries = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const nameOf = (source) => basename(entries.find(([, { entryPoint }]) => entryPoint === source)[0]);
  writePage(folder, {
    script: nameOf(`${APP}/main.tsx`),
    style: nameOf(`${APP}/styles/style.css`),
    icon: writeIcon(folder),
  });
  const sizes = measure(metafile, outputFiles);
  if (!isForCoverage) refuseTooLarge(sizes);
  return { sizes, inputs: Object.keys(metafile.inputs) };
}

function writeIcon(folder) {
  const icon = readFileSync(`${APP}/icon.svg`);
  const name = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
  writeFileSync(join(folder, "assets", name), icon);
  return name;
}

function writePage(folder, names) {
  const page = readFileSync(`${APP}/index.html`, "utf8");
  const filled = Object.entries(names).reduce((text, [key, name]) => text.replace(`{{${key}}}`, name), page);
  writeFileSync(join(folder, "index.html"), filled);
}

/** The first load is the page's script with all that it imports at once, and the style sheet. */
function measure(metafile, outputFiles) {
  const compressed = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents, { level: 9 }).length]),
  );
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const first = new Set();
  const visit = (name) => {
    if (first.has(name)) return;
    first.add(name);
    for (const { kind, path } of outputs.get(name)?.imports ?? []) {
      if (kind !== "dynamic-import") visit(basename(path));
    }
  };
  for (const [name, { entryPoint }] of outputs) {
    if (entryPoint === `${APP}/main.tsx` || entryPoint === `${APP}/styles/style.css`) visit(name);
  }
  const sum = (names) => [...names].reduce((total, name) => total + (compressed.get(name) ?? 0), 0);
  return { firstLoad: sum(first), wholeApp: sum(compressed.keys()), files: Object.fromEntries(compressed) };
}

/** Throws where a size is above its limit. */
export function refuseTooLarge({ firstLoad, wholeApp }) {
  const problems = [
    ["first load", firstLoad, FIRST_LOAD_LIMIT],
    ["whole app", wholeApp, WHOLE_APP_LIMIT],
  ].filter(([, size, limit]) => size > limit);
  if (problems.length === 0) return;
  const lines = problems.map(([what, size, limit]) => `${what}: ${size} bytes of gzip, at most ${limit}`);
  throw new Error(`The dashboard is too large. ${lines.join("; ")}.`);
}
