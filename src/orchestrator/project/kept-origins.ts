import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { pathExists, readRegularText, writeFileAtomically } from "../../base/files.ts";
import { parseJson } from "../../base/json.ts";
import { buildEnvironment } from "../../containment/build-environment.ts";
import { settingNames } from "../../contract/environment-names.ts";
import { formatValues, storyVariablesSchema } from "../../contract/environment-variables.ts";
import { learnSecrets } from "../../redaction/learn-secrets.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { locateEnvironments } from "../../project/story-environments.ts";
import type { Environment, StoryOrigin, StoryOrigins } from "../ports/story-origins.ts";

const savedSchema = z.strictObject({
  version: z.literal(1),
  names: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  checkout: z.string(),
  variables: storyVariablesSchema,
});

const ENDING = ".json";

/**
 * Keeps origins in memory, and the part that a story needs after a restart in a file that only this user can read. The
 * file has the variables that workers get, not the whole environment of the shell, and it is removed when the story ends.
 */
export class KeptOrigins implements StoryOrigins {
  readonly #stateDirectory: string;
  readonly #folder: string;
  readonly #own: Omit<StoryOrigin, "variables">;
  readonly #known = new Map<string, StoryOrigin>();
  #newest: Environment;

  /** `own` is the environment and the checkout of this process. */
  constructor(stateDirectory: string, own: Omit<StoryOrigin, "variables">) {
    this.#stateDirectory = stateDirectory;
    this.#folder = locateEnvironments(stateDirectory);
    this.#own = own;
    this.#newest = own.environment;
  }

  keep(story: string, { environment, checkout, variables }: StoryOrigin, names: readonly string[]): void {
    learnSecrets(environment);
    learnSecrets(formatValues(variables.set));
    // Stories of one shell share one object, by which the answers of agent programs are cached.
    if (!isSame(environment, this.#newest)) this.#newest = environment;
    this.#known.set(story, { environment: this.#newest, checkout, variables });
    // A story that continues after a restart is under the same limits.
    const kept = [...names, ...settingNames];
    const passed = buildEnvironment({ base: environment, allow: kept });
    const saved: z.infer<typeof savedSchema> = {
      version: 1,
      names: kept,
      environment: passed,
      checkout,
      variables,
    };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileAtomically(this.#locate(story), `${JSON.stringify(saved)}\n`);
  }

  read(story: string): StoryOrigin {
    const found = this.#find(story);
    // A linked worktree may be removed, or all of the repository moved, while stories are open; their base is in the journal.
    return this.#isOurs(found.checkout) ? found : { ...found, checkout: this.#own.checkout };
  }

  #isOurs(checkout: string): boolean {
    if (checkout === this.#own.checkout) return true;
    return pathExists(checkout) && getStateDirectory(checkout) === this.#stateDirectory;
  }

  #find(story: string): StoryOrigin {
    const known = this.#known.get(story);
    if (known !== undefined) return known;
    const saved = this.#readSaved(story);
    if (saved !== undefined) this.#known.set(story, saved);
    return saved ?? { ...this.#own, variables: { pass: [], set: {} } };
  }

  forget(story: string): void {
    this.#known.delete(story);
    rmSync(this.#locate(story), { force: true });
  }

  forgetOthers(stories: ReadonlySet<string>): void {
    if (!pathExists(this.#folder)) return;
    for (const name of readdirSync(this.#folder))
      if (!stories.has(name.slice(0, -ENDING.length))) rmSync(join(this.#folder, name), { force: true });
  }

  /** Values that were not kept, such as the keys of agents, come from this process, which the user started too. */
  #readSaved(story: string): StoryOrigin | undefined {
    const text = readRegularText(this.#locate(story));
    const saved = savedSchema.safeParse(text === undefined ? undefined : parseJson(text));
    if (!saved.success) return undefined;
    const { names, environment, checkout, variables } = saved.data;
    const own = this.#own.environment;
    const replaced = buildEnvironment({ base: own, allow: names });
    const rest = Object.entries(own).filter(([name]) => replaced[name] === undefined);
    const whole = { ...Object.fromEntries(rest), ...environment };
    learnSecrets(whole);
    return { environment: whole, checkout, variables };
  }

  #locate(story: string): string {
    return join(this.#folder, `${story}${ENDING}`);
  }
}

function isSame(left: Environment, right: Environment): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
