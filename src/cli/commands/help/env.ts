import { debugName, environmentNames } from "../../../contract/environment-names.ts";
import { findConfigKey } from "../../../contract/config-keys.ts";
import { renderColumns } from "../../render/columns.ts";

/** Variables that change a setting, then those that change only how the command line behaves. */
export function renderEnvironment(): string {
  const settings = environmentNames.map(({ name, keys }) => [name, keys.join(", "), meaningOf(keys)]);
  return [
    "Variables that set a limit or a setting; flags are stronger, files weaker",
    "",
    renderColumns([["variable", "setting", "meaning"], ...settings]),
    "",
    "Variables of the command line",
    "",
    renderColumns(ownNames),
  ].join("\n");
}

function meaningOf(keys: readonly string[]): string {
  const [first = ""] = keys;
  return findConfigKey(first)?.description ?? "";
}

const ownNames = [
  [debugName.name, "1 shows diagnostics and the stacks of unexpected errors"],
  ["AMBIT_DEBUG", "1 writes tasks that are handed out in full to the supervisor's log"],
  ["NO_COLOR", "any value turns colours off"],
  ["FORCE_COLOR", "any value but 0 and false turns colours on without a terminal"],
  ["TERM", "dumb turns colours and redrawing off"],
  ["GITHUB_ACTIONS", "true selects the reporter github"],
  ["GITHUB_STEP_SUMMARY", "file the reporter github adds its page to"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "where traces are sent; headers, protocol and more as in OpenTelemetry"],
] as const;
