import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The place of each command's document below the task's folder (R133). */
const places: Readonly<Record<string, { readonly folder: string; readonly stem: string }>> = {
  research: { folder: "reports", stem: "research" },
  review: { folder: "reports", stem: "review" },
  plan: { folder: "plans", stem: "implementation" },
  revise: { folder: "plans", stem: "implementation" },
  implement: { folder: "summaries", stem: "implementation-summary" },
};

/** The next free name, such as `specs/197_x/reports/research-002.md`; undefined for a command that writes none. */
export function nameNextDocument(projectRoot: string, folder: string, command: string): string | undefined {
  const place = Object.entries(places).find(([name]) => name === command)?.[1];
  if (place === undefined) return undefined;
  const taken = listDocuments(projectRoot, `${folder}/${place.folder}`).map(readDocumentNumber);
  const number = Math.max(0, ...taken) + 1;
  return `${folder}/${place.folder}/${place.stem}-${String(number).padStart(3, "0")}.md`;
}

/** The newest plan of a task, by its number. */
export function findNewestPlan(projectRoot: string, folder: string): string | undefined {
  const plans = listDocuments(projectRoot, `${folder}/plans`);
  return plans
    .toSorted(
      (left, right) => readDocumentNumber(left) - readDocumentNumber(right) || (left < right ? -1 : 1),
    )
    .at(-1);
}

/** All of a task's documents, for the agent to read. */
export function listAllDocuments(projectRoot: string, folder: string): readonly string[] {
  return ["reports", "plans", "summaries"].flatMap((name) => listDocuments(projectRoot, `${folder}/${name}`));
}

/** The type of a document, by its folder. */
export function readDocumentType(path: string): string {
  if (path.includes("/plans/")) return "plan";
  if (path.includes("/reports/")) return "report";
  return path.includes("/summaries/") ? "summary" : "documentation";
}

const MAX_LISTED = 200;

function listDocuments(projectRoot: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(projectRoot, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
      .map((entry) => `${folder}/${entry.name}`)
      .toSorted()
      .slice(-MAX_LISTED);
  } catch {
    // The folder does not exist yet.
    return [];
  }
}

/** `implementation-002.md` is 2; a name without a number comes before all of them. */
function readDocumentNumber(path: string): number {
  const digits = /(\d{1,6})\.md$/.exec(path)?.[1];
  return digits === undefined ? 0 : Number(digits);
}
