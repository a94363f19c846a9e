import { debugName, environmentNames } from "../../contract/environment-names.ts";
import { describeValue } from "../values/describe-value.ts";
import { parseSwitch } from "../values/parse-text.ts";
import { readNamedValues } from "./from-texts.ts";
import { emptyReading, joinReadings, problemReading, type Reading } from "./setting.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the environment. An empty variable counts as not set, because shells leave such variables behind. */
export function readEnvironment(environment: Environment): Reading {
  const named = environmentNames.flatMap(({ name, keys }) => {
    const value = environment[name]?.trim() ?? "";
    return value === "" ? [] : [{ source: name, keys, value }];
  });
  return joinReadings([readDebugSwitch(environment), readNamedValues("environment", named)]);
}

function readDebugSwitch(environment: Environment): Reading {
  const { name: source, keys } = debugName;
  const word = environment[source]?.trim() ?? "";
  const isOn = word === "" ? false : parseSwitch(word);
  if (isOn === true) return readNamedValues("environment", [{ source, keys, value: "debug" }]);
  if (isOn === false) return emptyReading;
  const reason = `is ${describeValue(word)}; expected 1 or 0`;
  return problemReading({ code: "CONFIG_INVALID", origin: { layer: "environment", source }, reason });
}
