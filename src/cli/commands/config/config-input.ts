import { findProjectRoot } from "../../../config/find-project.ts";
import type { ConfigInput } from "../../../config/load-config.ts";
import type { CommandContext } from "../../command-module.ts";

/** What decides the configuration of a command: the project around its directory, the user, the environment. */
export function configInput(context: CommandContext): ConfigInput {
  return {
    projectRoot: findProjectRoot(context.directory),
    environment: context.environment,
    homeDirectory: context.homeDirectory,
    configFile: context.configFile,
  };
}
