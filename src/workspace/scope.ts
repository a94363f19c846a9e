import { compileGlobs } from "../base/glob.ts";
import { isGitDirectoryPath } from "./git/git-directory-path.ts";
import { type ChangedFile, readChangedFiles } from "./git/read-changes.ts";
import type { Repository } from "./git/repository.ts";
import { findScriptChanges } from "./scope/package-scripts.ts";
import { compileSensitivePaths, type SensitiveReason } from "./scope/sensitive.ts";
import { findTwins, type Twins } from "./scope/twins.ts";

export type { ChangedFile } from "./git/read-changes.ts";
export type { SensitiveReason } from "./scope/sensitive.ts";

export type ModeChange = "link" | "gitlink" | "executable";

export interface ScopeReport {
  readonly filesChanged: readonly ChangedFile[];
  /** Paths outside the scope of the delegation. */
  readonly outsideScope: readonly string[];
  readonly sensitive: readonly { readonly path: string; readonly reason: SensitiveReason }[];
  /** New links, gitlinks and executable bits. */
  readonly modes: readonly { readonly path: string; readonly change: ModeChange }[];
  readonly twins: readonly Twins[];
  /** Names that some system treats as a git directory. */
  readonly gitNames: readonly string[];
  /** True if none of these findings holds up a merge. */
  readonly isClear: boolean;
}

export interface ScopeQuestion {
  readonly base: string;
  readonly tip: string;
  /** Globs; no limit if empty. */
  readonly fileScope: readonly string[];
  /** Globs of the settings that agents read. */
  readonly agentSettings: readonly string[];
}

/** Compares a worker's changes with the scope of its task. Reads only git trees and decides nothing. */
export async function checkScope(repository: Repository, question: ScopeQuestion): Promise<ScopeReport> {
  const changes = await readChangedFiles(repository, question.base, question.tip);
  const twins = await findTwins(repository, question.tip, changes);
  const scripts = await findScriptChanges(repository, changes);
  return judgeChanges({ ...question, changes, twins, scripts });
}

export interface ChangeFacts extends Pick<ScopeQuestion, "fileScope" | "agentSettings"> {
  readonly changes: readonly ChangedFile[];
  readonly twins: readonly Twins[];
  readonly scripts: readonly ChangedFile[];
}

/** The rules themselves, without git. */
export function judgeChanges({ changes, twins, scripts, ...rules }: ChangeFacts): ScopeReport {
  const { fileScope, agentSettings } = rules;
  const findReason = compileSensitivePaths(agentSettings);
  const isInside = fileScope.length === 0 ? () => true : compileGlobs(fileScope);
  const outsideScope = changes.map(({ path }) => path).filter((path) => !isInside(path));
  const named = changes.flatMap(({ path }) => {
    const reason = findReason(path);
    return reason === undefined ? [] : [{ path, reason }];
  });
  const sensitive = [...named, ...scripts.map(({ path }) => ({ path, reason: "package-scripts" as const }))];
  const modes = changes.flatMap((file) => {
    const change = findModeChange(file);
    return change === undefined ? [] : [{ path: file.path, change }];
  });
  const gitNames = changes.map(({ path }) => path).filter(isGitDirectoryPath);
  const findings = [outsideScope, sensitive, modes, twins, gitNames];
  const isClear = findings.every((list) => list.length === 0);
  return { filesChanged: changes, outsideScope, sensitive, modes, twins, gitNames, isClear };
}

function findModeChange({ oldMode, newMode }: ChangedFile): ModeChange | undefined {
  if (newMode === "120000") return "link";
  // Removing a gitlink, or moving it to another commit, changes foreign code just as adding one does.
  if (newMode === "160000" || oldMode === "160000") return "gitlink";
  return newMode === "100755" && oldMode !== "100755" ? "executable" : undefined;
}
