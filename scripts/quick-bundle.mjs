import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { withLazyZod } from "./lazy-zod.mjs";

/** What is answered without the whole program: the file in `dist/cli/` and its source. */
export const QUICK_SOURCES = {
  "quick-list.cjs": "src/cli/quick/quick-list.ts",
  "quick-status.cjs": "src/cli/quick/quick-status.ts",
  "quick-tasks.cjs": "src/cli/quick/quick-tasks.ts",
};

/** What a quick answer needs only now and then, such as the search for credentials in the output of a worker. */
export const QUICK_PARTS = { "quick-latest.cjs": "src/app/logs/read-latest.ts" };

/** What quick answers load after a look at the project; all else that they could load is rare. */
const LOADED = new Set([
  "src/app/list-stories.ts",
  "src/app/list-tasks.ts",
  "src/app/show-task.ts",
  "src/app/status.ts",
  "src/journal/open-reader.ts",
  "src/workspace/repository.ts",
]);

/**
 * Makes one scope of what a quick answer loads: code that is loaded later would put all that it needs into functions of
 * their own, which V8 reads twice. Leaves out code that is rarely loaded, such as the watch of a terminal or reports of
 * failures. A quick answer that needs it fails, and the whole program answers.
 */
export const quickAnswer = {
  name: "quick-answer",
  setup: (build) => {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: withLazyZod(loadAtOnce(path)),
    }));
    build.onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const part = partOf(sourceAt(resolveDir, path));
      return part === undefined ? { path, namespace: "rare" } : { path: `./${part}`, external: true };
    });
    build.onLoad({ filter: /.*/, namespace: "rare" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`not in the quick bundle: ${path}`)});`,
    }));
  },
};

function partOf(source) {
  return Object.keys(QUICK_PARTS).find((file) => QUICK_PARTS[file] === source);
}

function loadAtOnce(file) {
  const imports = [];
  const changed = readFileSync(file, "utf8").replaceAll(/await import\("([^"]+)"\)/g, (all, path) => {
    if (!LOADED.has(sourceAt(dirname(file), path))) return all;
    imports.push(`import * as loaded${imports.length} from "${path}";`);
    return `loaded${imports.length - 1}`;
  });
  return [...imports, changed].join("\n");
}

/** A build runs in the folder of the repository. */
function sourceAt(folder, path) {
  return relative(process.cwd(), resolve(folder, path));
}
