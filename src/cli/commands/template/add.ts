import { templateErrors } from "../../../errors/templates.ts";
import { resolve } from "node:path";
import { exitCode } from "../../../contract/exit-code.ts";
import { planAdditions, writeAdditions, type Addition } from "../../../templates/add-templates.ts";
import { readSourceFolder, type OfferedFile } from "../../../templates/read-source-folder.ts";
import { isAgreed } from "../../ask-person.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { findProject } from "../../../app/open-project.ts";
import { onlyPeople } from "../work/only-people.ts";
import { fetchOffered, isGitUrl } from "./fetch-offered.ts";
import { renderAdditions } from "./render-additions.ts";

interface Source {
  readonly offered: readonly OfferedFile[];
  readonly commit: string | null;
}

/**
 * Copies templates of somebody else into the project. Everything they say is shown first, as they speak to agents and
 * may name commands that run as checks. All or nothing: one that cannot be used stops the others, too.
 */
export async function addTemplates(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  onlyPeople(context, "never adds templates");
  const { root } = findProject(context);
  const { offered, commit } = await readSource(context, invocation);
  const additions = await planAdditions(root, offered);
  const shown = renderAdditions(additions);
  const refused = additions.filter(({ action }) => action === "refuse");
  const answer = (written: readonly string[], text: string, isOk: boolean): CommandOutcome => ({
    exitCode: isOk ? exitCode.completed : exitCode.failed,
    json: { source: invocation.argument("source"), commit, written, templates: additions.map(wireAddition) },
    text,
  });
  if (invocation.flag("dryRun") || refused.length > 0)
    return answer([], `${shown}\nNothing was written.`, refused.length === 0);
  const mayReplace = invocation.flag("replace");
  const replaced = additions.find(({ action }) => action === "replace");
  if (replaced !== undefined && !mayReplace) throw templateErrors.alreadyExists(replaced.target);
  const wanted = additions.filter(({ action }) => action !== "same");
  if (wanted.length === 0) return answer([], "All of them are here already, unchanged.", true);
  context.progress(shown);
  if (!(await isAgreed(context, `Write ${wanted.map(({ target }) => target).join(", ")}?`)))
    return answer([], "Nothing was written.", false);
  const written = writeAdditions(root, additions, mayReplace);
  const [first] = wanted;
  const lines = written.map((target) => `${target} is written`);
  const next = `  next  ambit run "What is to be done" --template ${first?.name ?? ""} --dry-run`;
  return answer(written, [...lines, next].join("\n"), true);
}

async function readSource(context: CommandContext, invocation: Invocation): Promise<Source> {
  const source = invocation.argument("source");
  const ref = invocation.option("ref");
  if (isGitUrl(source)) return fetchOffered(context, source, ref);
  if (ref !== undefined) throw usage("--ref belongs to a git URL", "Leave it out for a folder.");
  return { offered: readSourceFolder(resolve(context.directory, source)), commit: null };
}

function wireAddition({ name, target, action, problem, text, hidesBuiltIn }: Addition) {
  return { name, target, action, problem: problem ?? null, hides_built_in: hidesBuiltIn, text };
}
