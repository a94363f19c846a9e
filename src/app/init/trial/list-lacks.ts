import { formatList } from "../../../base/list-text.ts";
import type { ConfigValues } from "../../../contract/config.ts";
import { joinCommands, type TrialSettings } from "./remedies.ts";

/** The keys that the settings of a trial change, each with its whole new value as `ambit config set` takes it. */
export function listLacks(
  { include, setup, pass }: TrialSettings,
  present: Pick<ConfigValues["workspace"], "env" | "include" | "setup">,
): { readonly key: string; readonly value: string }[] {
  return [
    ...(include.length === 0
      ? []
      : [{ key: "workspace.include", value: formatList([...present.include, ...include]) }]),
    ...(setup === null
      ? []
      : [{ key: "workspace.setup", value: joinCommands(present.setup, setup) ?? setup }]),
    ...(pass.length === 0
      ? []
      : [{ key: "workspace.env.pass", value: formatList([...present.env.pass, ...pass]) }]),
  ];
}
