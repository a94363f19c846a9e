import { basename } from "node:path";
import { probeContainment } from "../../containment/probe-containment.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import { findLackingVariables, findLacks, type LackQuestion } from "../checks/find-lacks.ts";
import type { FailedCheck } from "../ports/git-tools.ts";
import { explainNetwork } from "./explain-network.ts";

/**
 * Lists, each in one sentence, how the place of a failed check differs from the user's checkout and shell. For the base
 * everything counts; for work only differences that its output or code names, because the base has reported the rest.
 */
export async function explainFailure(
  workspaces: WorkspaceSettings,
  failed: FailedCheck,
): Promise<readonly string[]> {
  const question: LackQuestion = { ...failed, workspaces };
  const ports = await explainNetwork(
    failed.output,
    failed.isOffline === true ? "sandbox" : (workspaces.services ?? null),
  );
  if (!failed.isBase) return [...ports, ...describeVariables(await findLackingVariables(question))];
  const { ignored, submodules, filters, variables } = await findLacks(question);
  return [
    ...ports,
    ...describeVariables(variables),
    ...describeIgnored(ignored, failed.output),
    ...(submodules.length === 0
      ? []
      : [
          `Submodules are empty in a workspace: ${joinNames(submodules)} (workspace.setup: git submodule update --init).`,
        ]),
    ...(filters.length === 0 ? [] : [`Files behind ${joinNames(filters)} are pointers in a workspace.`]),
    ...(await describeHiddenPath(workspaces)),
  ];
}

const MAX_NAMES = 5;

function joinNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}

function describeVariables(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const verb = names.length === 1 ? "is" : "are";
  const list = names.slice(0, MAX_NAMES).join(", ");
  return [`${joinNames(names)} ${verb} set in your shell but not passed (workspace.env.pass: [${list}]).`];
}

/** Entries that the output mentions come first. */
function describeIgnored(paths: readonly string[], output: string): readonly string[] {
  if (paths.length === 0) return [];
  const isNamed = (path: string): boolean => output.includes(basename(path));
  const sorted = [...paths.filter(isNamed), ...paths.filter((path) => !isNamed(path))];
  return [`A workspace lacks ignored files of your checkout: ${joinNames(sorted)} (workspace.include).`];
}

/**
 * Some tools skip folders whose names begin with a dot. If the workspace is shown at the project's path, there is none.
 */
async function describeHiddenPath({
  stateDirectory,
  ownPath,
}: WorkspaceSettings): Promise<readonly string[]> {
  const trees = getTreesDirectory(stateDirectory);
  const isHidden = trees.split("/").some((part) => part.startsWith(".") || part === "node_modules");
  if (!isHidden) return [];
  const { best } = await probeContainment();
  if (ownPath !== false && best.tier === "pid-namespace") return [];
  return [`Workspaces are in ${trees}, which some tools skip as hidden (workspace.dir).`];
}
