import { groupDigits } from "../../base/group-digits.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { formatSpent, formatUsd } from "../../base/money.ts";
import { listVerdictNotes } from "../../contract/work-proof.ts";
import type { Delegation } from "../../journal/store.ts";
import type { CriterionRow } from "../../orchestrator/criteria-rows.ts";
import type { ChangedFile } from "../project/changed-files.ts";
import type { StoryCost } from "../views/types/cost.ts";
import type { StoryDocument, Timeline, TreeNode } from "../views/types/story.ts";
import { escapeHtml, renderTable } from "./html-text.ts";
import { renderTimelineSvg } from "./timeline-svg.ts";

/** Everything that a report shows. */
export interface StoryReport {
  readonly version: string;
  readonly document: StoryDocument;
  readonly timeline: Timeline;
  readonly cost: StoryCost;
  readonly criteria: readonly { readonly id: string; readonly rows: readonly CriterionRow[] }[];
  /** The failures that workers reported, with their advice. */
  readonly problems: readonly Pick<Delegation, "id" | "errors" | "nextSteps">[];
  /** Open questions, in words. */
  readonly questions: readonly string[];
  /** Null where nothing of the story's work is kept. */
  readonly diff: {
    readonly files: readonly ChangedFile[];
    readonly patch: string | null;
    readonly is_cut: boolean;
  } | null;
  readonly chain: { readonly seq: number; readonly hash: string; readonly isSound: boolean };
}

/** One page without scripts and without anything from elsewhere, for a reader without access to the project. */
export function renderReportPage(report: StoryReport): string {
  const { run, nowMs } = report.document;
  const body = [
    `<h1>${escapeHtml(run.title)}</h1>`,
    renderFacts(report),
    ...renderQuestions(report.questions),
    section("Tree", renderTree(report.document.nodes, nowMs)),
    ...renderProblems(report.problems),
    section("Timeline", renderTimelineSvg(report.timeline)),
    section("Criteria", renderCriteria(report)),
    section("Cost", renderCost(report.cost)),
    section("Changes", renderChanges(report.diff)),
    section("Journal", renderChain(report)),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${run.id} ${run.title}`)}</title>
<style>${STYLE}</style></head><body>
${body.join("\n")}
</body></html>
`;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
pre{overflow:auto;background:#f6f6f6;padding:.8rem;font-size:13px}ins{color:#116329;text-decoration:none}del{color:#a40e26;text-decoration:none}
.asks{border-left:4px solid #b35900;padding-left:.8rem}svg{width:100%}svg text{font:12px system-ui,sans-serif}.axis{text-anchor:middle;fill:#555}
.tick{stroke:#ddd}.queued,.retry{fill:#c9c9c9}.running{fill:#3b76d1}.workers{fill:#a9c4ea}.person{fill:#b35900}.checking{fill:#5b9e5b}
@media print{body{margin:0}pre{white-space:pre-wrap}}`;

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>\n${content}\n</section>`;
}

function renderFacts({ document: { run, limits, nowMs }, version }: StoryReport): string {
  const endMs = run.endedAtMs ?? nowMs;
  const budget = limits.budgetMicroUsd === null ? "" : ` of ${formatUsd(limits.budgetMicroUsd)}`;
  return renderTable(
    ["Story", run.id],
    [
      ["State", [run.stateWord, run.code ?? ""].join(" ").trim()],
      ["Summary", run.summary],
      ["Agent", run.agent],
      ["Workers", `${run.ended} of ${run.workers} ended`],
      ["Cost", `${formatSpent(run.microUsd, run.tokens)}${budget}`],
      ["Began", formatTime(run.openedAtMs)],
      ["Ended", run.endedAtMs === null ? "not yet" : formatTime(run.endedAtMs)],
      ["Time", run.openedAtMs === null ? "" : renderDuration(endMs - run.openedAtMs)],
      ["Written by", `ambit ${version}, ${formatTime(nowMs)}`],
    ],
  );
}

function formatTime(ms: number | null): string {
  return ms === null ? "" : new Date(ms).toISOString();
}

function renderQuestions(questions: readonly string[]): readonly string[] {
  if (questions.length === 0) return [];
  const lines = questions.map((question) => `<p class="asks">${escapeHtml(question)}</p>`);
  return [section("Waits for a person", lines.join("\n"))];
}

function renderTree(nodes: readonly TreeNode[], nowMs: number): string {
  const rows = nodes.map((node) => [
    `${"\u00A0\u00A0".repeat(node.depth)}${node.label === "" ? node.id : node.label} ${node.title}`,
    [node.stateWord, node.code ?? ""].join(" ").trim(),
    node.agent,
    node.startedAtMs === null ? "" : renderDuration((node.endedAtMs ?? nowMs) - node.startedAtMs),
    formatSpent(node.microUsd, node.tokens),
    String(node.filesChanged),
    node.summary,
  ]);
  const head = ["Work", "State", "Agent", "Time", "Cost", "Files", "Summary"];
  return renderTable(head, rows, new Set([3, 4, 5]));
}

/** In the words of the workers' returns. */
function renderProblems(problems: StoryReport["problems"]): readonly string[] {
  const rows = problems.flatMap(({ id, errors, nextSteps }) =>
    errors.length === 0
      ? [[id, "", "", "", nextSteps]]
      : errors.map(({ code, message, recommendation }) => [id, code, message, recommendation, nextSteps]),
  );
  if (rows.length === 0) return [];
  const table = renderTable(["Work", "Code", "Problem", "Advice", "Next steps"], rows);
  return [section("Errors and next steps", table)];
}

function renderCriteria({ criteria }: StoryReport): string {
  const rows = criteria.flatMap(({ id, rows: own }) =>
    own.map((row) => [id, row.text, row.check, renderVerdict(row), row.evidence]),
  );
  if (rows.length === 0) return "<p>There are none.</p>";
  return renderTable(["Work", "Criterion", "Check", "Verdict", "Finding"], rows);
}

function renderVerdict(row: CriterionRow): string {
  const notes = [...(row.required ? [] : ["advice only"]), ...listVerdictNotes(row)];
  return notes.length === 0 ? row.verdict : `${row.verdict} (${notes.join("; ")})`;
}

type Use = Pick<StoryCost["byModel"][number], "microUsd" | "tokens">;

function renderCost({ byModel, byAgent, source }: StoryCost): string {
  const describe = (kind: string, name: string, { tokens, microUsd }: Use): readonly string[] => [
    kind,
    name || "not named",
    groupDigits(tokens),
    formatSpent(microUsd, tokens),
  ];
  const cells = [
    ...byAgent.map((use) => describe("agent", use.agent, use)),
    ...byModel.map((use) => describe("model", use.model, use)),
  ];
  const note = source === "reported" ? "" : `<p>These figures are ${escapeHtml(source)}.</p>`;
  return `${renderTable(["By", "Name", "Tokens", "Cost"], cells, new Set([2, 3]))}${note}`;
}

function renderChanges(diff: StoryReport["diff"]): string {
  if (diff === null) return "<p>No work is kept.</p>";
  const rows = diff.files.map(({ path, kind, added, removed }) => [
    path,
    kind,
    added === null ? "binary" : `+${added}`,
    removed === null ? "" : `−${removed}`,
  ]);
  const cut = diff.is_cut ? "<p>The rest was left out; ambit diff shows all of it.</p>" : "";
  const table = renderTable(["File", "Change", "Added", "Removed"], rows, new Set([2, 3]));
  return `${table}<pre>${(diff.patch ?? "").split("\n").map(renderPatchLine).join("\n")}</pre>${cut}`;
}

function renderPatchLine(line: string): string {
  const text = escapeHtml(line);
  if (line.startsWith("+") && !line.startsWith("+++")) return `<ins>${text}</ins>`;
  return line.startsWith("-") && !line.startsWith("---") ? `<del>${text}</del>` : text;
}

function renderChain({ chain: { seq, hash, isSound } }: StoryReport): string {
  const verdict = isSound ? "the chain holds" : "the chain is broken: ambit audit --verify says where";
  return `<p>Event ${seq}, head <code>${escapeHtml(hash)}</code>: ${verdict}.</p>`;
}
