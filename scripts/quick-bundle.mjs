/** What is answered without the whole program: the file in `dist/cli/` and its source. */
export const QUICK_SOURCES = {
  "quick-list.cjs": "src/cli/quick/quick-list.ts",
  "quick-status.cjs": "src/cli/quick/quick-status.ts",
  "quick-tasks.cjs": "src/cli/quick/quick-tasks.ts",
};

/** What quick answers load after a look at the project; all else that they could load is rare. */
const LOADED = new Set([
  "app/list-stories.ts",
  "app/list-tasks.ts",
  "app/show-task.ts",
  "app/status.ts",
  "journal/open-reader.ts",
  "workspace/repository.ts",
]);

/**
 * Leaves out code that is loaded later than at the start, such as the watch of a terminal or reports of failures. A quick
 * answer that needs it fails, and the whole program answers.
 */
export const withoutRareCode = {
  name: "without-rare-code",
  setup: (build) => {
    build.onResolve({ filter: /./ }, ({ path, kind }) => {
      const isKept = kind !== "dynamic-import" || LOADED.has(path.replace(/^(?:\.\.?\/)+/, ""));
      return isKept ? undefined : { path, namespace: "rare" };
    });
    build.onLoad({ filter: /.*/, namespace: "rare" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`not in the quick bundle: ${path}`)});`,
    }));
  },
};
