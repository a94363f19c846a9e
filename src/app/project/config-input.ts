import { findProjectRoot } from "../../project/find-project.ts";
import type { ConfigInput } from "../../config/load-config.ts";
import type { AppContext } from "./app-context.ts";

/** The sources of a command's configuration: the project around its directory, the user, the environment. */
export function configInput(
  context: Pick<AppContext, "configFile" | "directory" | "environment" | "homeDirectory">,
): ConfigInput {
  return {
    projectRoot: findProjectRoot(context.directory),
    environment: context.environment,
    homeDirectory: context.homeDirectory,
    configFile: context.configFile,
  };
}
