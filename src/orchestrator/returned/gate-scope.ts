import type { Delegation } from "../../journal/store.ts";
import type { ScopeReport } from "../../workspace/scope.ts";
import { askOnce, findApproval, type Question } from "../approvals/ask-approval.ts";
import type { Proof } from "./proof.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { withoutPapers } from "../workflow/task-papers.ts";

/**
 * What merging would bring to the branch: only this, whoever else's work is in the worker's folder by now. Nobody can
 * hand on more room than it has, so the scopes of all managers above hold as well.
 */
export async function judgeChanges(
  tools: RunTools,
  delegation: Delegation,
  change: Change,
): Promise<ScopeReport | undefined> {
  const { from, to } = change;
  const along = await judgeWhatComesAlong(tools, delegation, change);
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
  /** What the branch holds now. */
  readonly branchTip: string | null;
}

/**
 * A worker builds on its manager's unfinished work, which therefore arrives on the branch with it. On the story's own
 * branch nobody would look at that again.
 */
async function judgeWhatComesAlong(
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
 * What was changed, held against what may be changed. Judged on git trees, so no name, link or mode can hide. Answers
 * what stops the merge, or nothing.
 */
export async function gateScope(
  tools: RunTools,
  delegation: Delegation,
  report: ScopeReport | undefined,
): Promise<Proof | undefined> {
  if (report === undefined || report.isClear) return undefined;
  if (report.gitNames.length > 0) {
    const why = `It made ${report.gitNames.join(", ")}, which git would take for its own.`;
    return refuse(delegation, "SENSITIVE_PATHS", why);
  }
  for (const question of questionsAbout(await withoutPapers(tools, delegation, report))) {
    const asked = await findApproval(tools, delegation, question.kind);
    if (asked?.answer === "approved") continue;
    if (asked === undefined || asked.answer === null) {
      await askOnce(tools, delegation, question);
      return { kind: "waiting" };
    }
    const code = question.kind === "scope" ? "SCOPE_VIOLATION" : "SENSITIVE_PATHS";
    const answer = asked.answer === "expired" ? "Nobody answered." : `Refused: ${asked.reason}`;
    return refuse(delegation, code, `${question.question} ${answer}`);
  }
  return undefined;
}

const MOST_NAMED = 50;

function questionsAbout(report: ScopeReport): readonly Question[] {
  const sensitive = [
    ...report.sensitive.map(({ path, reason }) => `${path} (${reason})`),
    ...report.modes.map(({ path, change }) => `${path} (new ${change})`),
    ...report.twins.map((twins) => `${JSON.stringify(twins)} (names that differ only in case)`),
  ];
  const questions: readonly Question[] = [
    {
      kind: "scope",
      question: "It changed files outside its scope. Take them all the same?",
      details: report.outsideScope.slice(0, MOST_NAMED),
    },
    {
      kind: "sensitive-paths",
      question: "It changed files that can run code or change who may. Take them?",
      details: sensitive.slice(0, MOST_NAMED),
    },
  ];
  return questions.filter(({ details }) => details.length > 0);
}

function refuse(delegation: Delegation, code: string, why: string): Proof {
  const summary = `${why} Its work stays on delegation/${delegation.id}.`;
  return {
    kind: "close",
    settlement: { outcome: "partial", code, summary, filesChanged: delegation.filesChanged },
  };
}
