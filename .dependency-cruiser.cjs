// Ranks: a folder imports only lower ranks. Equal ranks are siblings and do not import each other.
// A folder's root files are its public face; its subfolders are private to it.
const RANKS = {
  base: 0,
  contract: 1,
  containment: 2,
  guards: 2,
  routing: 2,
  ledger: 2,
  config: 3,
  journal: 3,
  tasks: 3,
  mailbox: 3,
  workspace: 3,
  agents: 3,
  verification: 3,
  scheduler: 3,
  telemetry: 3,
  templates: 3,
  orchestrator: 4,
  reports: 4,
  supervisor: 5,
  cli: 7,
  mcp: 6,
  dashboard: 6,
  testing: 6,
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

module.exports = {
  forbidden: [
    ...rankRules,
    ...privacyRules,
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
