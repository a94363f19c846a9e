import type { MergePlan, StoryWork as Work } from "../../../app/view-types.ts";
import { askPerson } from "../frame/overlay.ts";
import { perform } from "../live/actions.ts";
import { useAnswer } from "../live/use-answer.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Outside } from "../parts/outside.tsx";
import { plural } from "../text/format.ts";

interface StoryWorkProps {
  readonly story: string;
  /** A change looks again. */
  readonly version: string;
}

/** Where the work of an ended story is, and the way to take it or give it back. */
export function StoryWork({ story, version }: StoryWorkProps) {
  const url = `/api/runs/${encodeURIComponent(story)}/work`;
  const { answer, problem, reload } = useAnswer<Work>({ url, fields: ["branch", "isMerged"], version });
  if (problem !== undefined || answer === undefined || answer.branch === null) return null;
  const { branch, isMerged, plan } = answer;
  const isReady = plan?.status === "ready";
  return (
    <section className="note work-note" aria-label="Where the work is">
      <p>
        {kinds[answer.proof ?? "open"]} is on branch <code>{branch}</code>{" "}
        <CopyButton text={branch} what="the branch" />
        {describePlan(answer)}
      </p>
      <div className="actions">
        {isReady ? (
          <button
            type="button"
            className="button main-action"
            onClick={() => void merge(story, plan).then(reload)}
          >
            Merge into {plan.into}…
          </button>
        ) : null}
        {isMerged ? (
          <button type="button" className="button" onClick={() => void undo(story).then(reload)}>
            Undo the merge…
          </button>
        ) : null}
        <CopyButton
          text={`ambit merge ${story}${isMerged ? " --undo" : ""}`}
          what="the command"
          label={`ambit merge ${story}${isMerged ? " --undo" : ""}`}
        />
      </div>
      {answer.problem === null ? null : (
        <p className="quiet">
          <Outside text={`${answer.problem.message} ${answer.problem.recommendation}`} />
        </p>
      )}
    </section>
  );
}

/** The words of the command line. */
const kinds = {
  proven: "The proven work",
  "no-regression": "The checked work",
  nothing: "The unproven work",
  unchecked: "The unproven work",
  open: "The work so far",
} as const;

function describePlan({ plan, isMerged }: Work): string {
  if (plan?.status === "conflict")
    return `; it conflicts with ${plan.into} in ${plan.files.slice(0, 5).join(", ")}.`;
  if (plan?.status === "unfinished") return "; a merge was interrupted, ambit merge completes it.";
  if (plan?.status === "ready" && !isMerged) return `, not yet in ${plan.into}.`;
  return isMerged ? " and in your branch." : ".";
}

const MAX_NAMED = 12;

async function merge(story: string, plan: MergePlan): Promise<void> {
  const { files, edited, unproven } = plan;
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
  const parts = [
    `${plural(files.length, "file")} (+${plan.added} −${plan.removed}): ${files.slice(0, MAX_NAMED).join(", ")}${more}.`,
    edited.length === 0 ? "" : `Your uncommitted edits in ${edited.join(", ")} stay uncommitted.`,
    unproven.length === 0 ? "" : `Not proven: ${unproven.join("; ")}.`,
    "The merge can be undone.",
  ];
  const way = await askPerson({
    title: `Merge ${story} into ${plan.into}?`,
    text: parts.filter((part) => part !== "").join(" "),
    confirm: "Merge",
    choice: {
      label: "As",
      options: [
        { value: "commits", name: "its own commits" },
        { value: "squash", name: "one commit" },
      ],
    },
  });
  if (way !== null) await perform({ kind: "merge", story, tip: plan.tip, squash: way === "squash" });
}

async function undo(story: string): Promise<void> {
  const isMeant = await askPerson({
    title: `Undo the merge of ${story}?`,
    text: "Your branch and your files become what they were before. The story's own branch keeps the work.",
    confirm: "Undo the merge",
    isDanger: true,
  });
  if (isMeant !== null) await perform({ kind: "merge-undo", story });
}
