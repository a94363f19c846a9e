import {
  describeAdvice,
  formatDollars,
  summarizeCost,
  summarizeOrder,
  summarizeWorkers,
  type StoryPreview,
} from "../../app/preview-story.ts";
import { visibleText } from "../../base/visible-text.ts";

type Prediction = StoryPreview["prediction"];

/** The story that would start, and the prediction for dividing it. */
export function renderStoryPreview(preview: StoryPreview, { ascii }: { readonly ascii: boolean }): string {
  const { story, title, agent, program, template, template_title: templateTitle, parts } = preview;
  const text = [
    `${story}: ${title}`,
    `  by        ${agent ?? program ?? "no agent is named yet: --agent, or agents.default"}`,
    ...(template === null ? [] : [`  template  ${template}: ${templateTitle ?? ""}`]),
    ...preview.criteria.map((criterion) => `  accept    ${criterion}`),
    `  limits    ${renderLimits(preview.limits)}`,
    "",
    ...renderPrediction(preview.prediction),
    ...(parts.length === 0 ? [] : ["", ...renderParts(preview)]),
    "",
    "Nothing was started.",
  ].join("\n");
  return ascii ? visibleText(text).replaceAll("·", "-") : visibleText(text);
}

function renderLimits(limits: StoryPreview["limits"]): string {
  return [
    `depth ${limits.max_depth}`,
    `${limits.max_delegations} workers`,
    `${limits.max_concurrent} at once`,
    `${limits.timeout_seconds} s each`,
    ...(limits.budget_usd === null ? [] : [formatDollars(limits.budget_usd)]),
  ].join(" · ");
}

const MAX_OVERLAPS = 5;

const origins: Readonly<Record<Prediction["origin"], string>> = {
  template: "the template names them",
  example: "as in the template's example",
  directives: "written in the story",
  nobody: "its agent decides",
};

/** One fact per line. */
function renderPrediction(prediction: Prediction): readonly string[] {
  const { overlaps, depth, hours, advice, reasons } = prediction;
  const rows = [
    ["workers", `${summarizeWorkers(prediction)} (${origins[prediction.origin]})`],
    ["order", summarizeOrder(prediction) ?? "not known yet"],
    ...(hours === null ? [] : [["hours", renderHours(hours)]]),
    ["cost", summarizeCost(prediction) ?? "not known: no history here, and no price for the model"],
    ...overlaps.slice(0, MAX_OVERLAPS).map(({ one, other, at }) => ["overlap", `${one} and ${other}: ${at}`]),
    ...(overlaps.length > MAX_OVERLAPS ? [["overlap", `and ${overlaps.length - MAX_OVERLAPS} more`]] : []),
    ["depth", `${depth.advised}: ${depth.reason}`],
    ["advice", describeAdvice(advice, reasons)],
  ];
  return rows.map(([name = "", text = ""]) => `  ${name.padEnd(9)} ${text}`);
}

function renderHours({ work, elapsed }: NonNullable<Prediction["hours"]>): string {
  return `${roundHours(work)} of work in about ${roundHours(elapsed)}`;
}

function roundHours(hours: number): number {
  return Math.round(hours * 10) / 10;
}

function renderParts({ parts, prediction }: StoryPreview): readonly string[] {
  return [
    prediction.origin === "example" ? "Parts of the example" : "Parts",
    ...parts.map(({ name, hours, after, scope }, index) => {
      const facts = [
        ...(hours === null ? [] : [`${hours} h`]),
        ...(after.length === 0 ? [] : [`after ${after.map((place) => place + 1).join(", ")}`]),
        ...scope,
      ];
      return `  ${index + 1} ${name}${facts.length === 0 ? "" : `  (${facts.join("; ")})`}`;
    }),
  ];
}
