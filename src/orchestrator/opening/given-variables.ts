import type { StoryVariables } from "../../contract/environment-variables.ts";
import type { Environment } from "../ports/story-origins.ts";

/** The names of the variables that came with a story, for its record. */
export function listVariableNames(given: StoryVariables | undefined): string[] | undefined {
  const names = given === undefined ? [] : [...given.pass, ...Object.keys(given.set)];
  return names.length === 0 ? undefined : names;
}

/** A variable that was named and is not set is probably a mistake. */
export function warnUnset(given: StoryVariables | undefined, environment: Environment): readonly string[] {
  const single = (given?.pass ?? []).filter((name) => !name.endsWith("*"));
  return single
    .filter((name) => environment[name] === undefined && given?.set[name] === undefined)
    .map((name) => `${name} is not set in your shell, so it is not passed`);
}
