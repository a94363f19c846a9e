import { basename } from "node:path";
import { instructionFiles } from "../../agents/agent-programs.ts";
import type { Delegation } from "../../journal/store.ts";
import type { ScopeReport } from "../../workspace/scope.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { workflowOf } from "../delegation/kind.ts";

/**
 * Where a project keeps its tasks below a tool's own folder, such as `.agents/specs`, every report would count as a
 * change to that tool's settings. Documents of the task a command is about are none, unless a tool reads them by name.
 */
export async function withoutPapers(
  tools: RunTools,
  { story }: Pick<Delegation, "story">,
  report: ScopeReport,
): Promise<ScopeReport> {
  if (report.sensitive.length === 0) return report;
  const root = await tools.store.delegation(story);
  const facts = root === undefined ? undefined : workflowOf(root);
  if (facts === undefined || facts.task === null) return report;
  const isPaper = (path: string): boolean =>
    places.some((place) => path.startsWith(`${facts.folder}/${place}/`)) && isPlainPaper(basename(path));
  return { ...report, sensitive: report.sensitive.filter(({ path }) => !isPaper(path)) };
}

const places = ["reports", "plans", "summaries"] as const;

function isPlainPaper(name: string): boolean {
  const isInstructions = instructionFiles.some((file) => file.toLowerCase() === name.toLowerCase());
  return name.endsWith(".md") && !isInstructions;
}
