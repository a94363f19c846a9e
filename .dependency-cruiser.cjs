// Ranks: a folder imports only lower ranks. Equal ranks are siblings and do not import each other.
// A folder's root files are its public face; its subfolders are private to it.
const RANKS = {
  base: 0,
  contract: 1,
  errors: 2,
  redaction: 2,
  project: 3,
  containment: 3,
  guards: 3,
  routing: 3,
  ledger: 3,
  testing: 3,
  config: 4,
  journal: 4,
  tasks: 4,
  mailbox: 4,
  workspace: 4,
  agents: 4,
  verification: 4,
  scheduler: 4,
  dispatch: 4,
  telemetry: 4,
  templates: 4,
  trust: 5,
  orchestrator: 5,
  reports: 5,
  supervisor: 6,
  app: 7,
  mcp: 8,
  dashboard: 8,
  cli: 9,
};

const folders = Object.entries(RANKS);

const rankRules = folders.map(([folder, rank]) => {
  const allowed = folders.filter(([, other]) => other < rank).map(([name]) => name);
  return {
    name: `rank-${rank}-${folder}`,
    comment: `src/${folder} (rank ${rank}) may import only lower ranks`,
    severity: "error",
    from: { path: `^src/${folder}/` },
    to: { path: "^src/", pathNot: `^src/(${[folder, ...allowed].join("|")})/` },
  };
});

const privacyRules = folders.map(([folder]) => ({
  name: `private-${folder}`,
  comment: `Only src/${folder} may reach into its own subfolders`,
  severity: "error",
  from: { path: "^src/", pathNot: `^src/${folder}/` },
  to: { path: `^src/${folder}/[^/]+/` },
}));

/** The command line also starts the two other surfaces. */
const STARTED_BY_CLI = "^src/(mcp/serve-(stdio|http)|dashboard/serve-dashboard)\\.ts$";

/** Surfaces translate between their callers and the use cases; nothing happens in them. */
const surfaceRules = ["dashboard", "mcp", "cli"].map((folder) => ({
  name: `surface-${folder}`,
  comment: `src/${folder} reaches the product only through src/app`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: `^src/(app|contract|errors|base|${folder})/|${STARTED_BY_CLI}` },
}));

const depthRules = folders.map(([folder]) => ({
  name: `deep-${folder}`,
  comment: `A subfolder of src/${folder} does not import the files directly in src/${folder}`,
  severity: "error",
  from: { path: `^src/${folder}/[^/]+/` },
  to: { path: `^src/${folder}/[^/]+$` },
}));

module.exports = {
  forbidden: [
    ...depthRules,
    ...rankRules,
    ...privacyRules,
    ...surfaceRules,
    {
      name: "no-two-way-folders",
      comment: "Two subfolders never import each other, not even through different files",
      severity: "error",
      scope: "folder",
      from: { path: "^src/[^/]+/[^/]+$" },
      to: { circular: true },
    },
    { name: "no-cycles", severity: "error", from: { path: "^src" }, to: { circular: true } },
    { name: "no-tests-in-src", severity: "error", from: { path: "^src" }, to: { path: "^(test|bench)/" } },
    {
      name: "contract-needs-only-zod",
      severity: "error",
      from: { path: "^src/contract/" },
      to: { dependencyTypes: ["npm", "core"], pathNot: "node_modules/zod/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".json"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
