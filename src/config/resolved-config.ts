/** The resolved configuration as other folders see it. */
export { problemText } from "./model/config-problem.ts";
export { placeOf, type ConfigEntry, type ResolvedConfig } from "./model/resolved-config.ts";
