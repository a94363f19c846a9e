import { basename } from "node:path";
import { instructionFiles } from "../../agents/agent-programs.ts";
import type { Delegation } from "../../journal/store.ts";
import type { ScopeReport } from "../../workspace/scope.ts";
import { askOncePerAttempt, findApproval, type Question } from "../approvals/ask-approval.ts";
import type { Proof } from "./proof.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { readWorkflowFacts } from "../delegation/kind.ts";
import { closeWith } from "../ports/step.ts";

/**
 * Judges only the changes that merging would bring to the branch, although the worker's folder holds other work too. A
 * manager cannot delegate more scope than it has, so the scopes of all managers above apply as well.
 */
export async function judgeChanges(
  tools: RunTools,
  delegation: Delegation,
  change: Change,
): Promise<ScopeReport | undefined> {
  const { from, to } = change;
  const along = await judgeManagerWork(tools, delegation, change);
  if (from === to) return along;
  const report = await tools.git.judgeScope({ base: from, tip: to, fileScope: delegation.scope });
  const outside = new Set([...report.outsideScope, ...(along?.outsideScope ?? [])]);
  for (let above = delegation.parent; above !== null;) {
    const manager = await tools.store.delegation(above);
    const fileScope = manager?.scope ?? [];
    const wider = await tools.git.judgeScope({ base: from, tip: to, fileScope });
    for (const path of wider.outsideScope) outside.add(path);
    above = manager?.parent ?? null;
  }
  return {
    ...report,
    outsideScope: [...outside],
    sensitive: [...report.sensitive, ...(along?.sensitive ?? [])],
    modes: [...report.modes, ...(along?.modes ?? [])],
    twins: [...report.twins, ...(along?.twins ?? [])],
    gitNames: [...report.gitNames, ...(along?.gitNames ?? [])],
    isClear: report.isClear && outside.size === 0 && along?.isClear !== false,
  };
}

interface Change {
  readonly from: string;
  readonly to: string;
  /** The present commit of the branch. */
  readonly branchTip: string | null;
}

/**
 * A worker builds on its manager's unfinished work, which therefore arrives on the branch with it. On the story's own
 * branch no later step would judge that work.
 */
async function judgeManagerWork(
  tools: RunTools,
  { parent, story }: Delegation,
  { from, branchTip }: Change,
): Promise<ScopeReport | undefined> {
  const manager = parent === story ? await tools.store.delegation(story) : undefined;
  const base = branchTip ?? manager?.base ?? from;
  if (manager === undefined || base === from) return undefined;
  const report = await tools.git.judgeScope({ base, tip: from, fileScope: manager.scope });
  return { ...report, filesChanged: [] };
}

/**
 * Compares the changes with the allowed scope. It judges git trees, so that no name, link or mode can hide. Returns the
 * reason that stops the merge, or undefined.
 */
export async function gateChanges(
  tools: RunTools,
  delegation: Delegation,
  report: ScopeReport | undefined,
): Promise<Proof | undefined> {
  if (report === undefined || report.isClear) return undefined;
  if (report.gitNames.length > 0) {
    const why = `It created ${report.gitNames.join(", ")}, which git would treat as its own.`;
    return refuseMerge(delegation, "SENSITIVE_PATHS", why);
  }
  for (const question of listQuestions(await excludeTaskDocuments(tools, delegation, report))) {
    const asked = await findApproval(tools, delegation, question.kind);
    if (asked?.answer === "approved") continue;
    if (asked === undefined || asked.answer === null) {
      await askOncePerAttempt(tools, delegation, question);
      return { kind: "waiting" };
    }
    const code = question.kind === "scope" ? "SCOPE_VIOLATION" : "SENSITIVE_PATHS";
    const answer = asked.answer === "expired" ? "There was no answer." : `Refused: ${asked.reason}`;
    return refuseMerge(delegation, code, `${question.question} ${answer}`);
  }
  return undefined;
}

/**
 * If a project keeps its tasks below a tool's own folder, such as `.agents/specs`, every report would count as a change
 * to that tool's settings. A workflow command's task documents do not count, unless a tool reads them by name.
 */
async function excludeTaskDocuments(
  tools: RunTools,
  { story }: Pick<Delegation, "story">,
  report: ScopeReport,
): Promise<ScopeReport> {
  if (report.sensitive.length === 0) return report;
  const root = await tools.store.delegation(story);
  const facts = root === undefined ? undefined : readWorkflowFacts(root);
  if (facts === undefined || facts.task === null) return report;
  const isDocument = (path: string): boolean =>
    documentFolders.some((folder) => path.startsWith(`${facts.folder}/${folder}/`)) &&
    isPlainDocument(basename(path));
  return { ...report, sensitive: report.sensitive.filter(({ path }) => !isDocument(path)) };
}

const documentFolders = ["reports", "plans", "summaries"] as const;

function isPlainDocument(name: string): boolean {
  const isInstructions = instructionFiles.some((file) => file.toLowerCase() === name.toLowerCase());
  return name.endsWith(".md") && !isInstructions;
}

const MAX_NAMED = 50;

function listQuestions(report: ScopeReport): readonly Question[] {
  const sensitive = [
    ...report.sensitive.map(({ path, reason }) => `${path} (${reason})`),
    ...report.modes.map(({ path, change }) => `${path} (new ${change})`),
    ...report.twins.map((twins) => `${JSON.stringify(twins)} (names that differ only in case)`),
  ];
  const questions: readonly Question[] = [
    {
      kind: "scope",
      question: "It changed files outside its scope. Accept them anyway?",
      details: report.outsideScope.slice(0, MAX_NAMED),
    },
    {
      kind: "sensitive-paths",
      question: "It changed files that can run code or change permissions. Accept them?",
      details: sensitive.slice(0, MAX_NAMED),
    },
  ];
  return questions.filter(({ details }) => details.length > 0);
}

function refuseMerge({ id, filesChanged }: Delegation, code: string, why: string): Proof {
  // The reason is a person's and may end without a full stop.
  const summary = `${why}\nIts work stays on delegation/${id}.`;
  return closeWith({ outcome: "partial", code, summary, filesChanged });
}
