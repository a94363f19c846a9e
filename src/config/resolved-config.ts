/** The resolved configuration as other folders see it. */
export { formatProblem } from "./model/config-problem.ts";
export { formatOrigin, type ConfigEntry, type ResolvedConfig } from "./model/resolved-config.ts";
