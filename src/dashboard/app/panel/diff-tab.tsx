import { WorkDiff } from "../diff/work-diff.tsx";
import { useQueryValue } from "../frame/route.ts";
import { useLook } from "../live/use-look.ts";
import { AttemptChoices } from "./attempt-choices.tsx";
import type { TabProps } from "./tab-props.ts";

/** Shows the changes of the work, of one attempt, or between two attempts. */
export function DiffTab({ detail }: TabProps) {
  const { node, tip, can, attempts } = detail;
  const [attempt] = useQueryValue("attempt");
  const [compareWith] = useQueryValue("with");
  const look = useLook();
  // The files of a running worker change without an event, so they are looked at now and then.
  const live = node.state === "running" ? look : 0;
  const version = `${tip ?? ""} ${node.state} ${detail.filesChanged.length} ${live}`;
  const isWhole = attempt === "" && compareWith === "";
  const worker = isWhole && can.includes("message") ? node.id : null;
  return (
    <div className="stack">
      {attempts.length < 2 ? null : (
        <div className="toolbar">
          <AttemptChoices attempts={attempts} newest={null} />
          {compareWith === "" ? null : (
            <span className="quiet">
              What changed from attempt {compareWith} to attempt {attempt === "" ? node.attempt : attempt}
            </span>
          )}
        </div>
      )}
      <WorkDiff id={node.id} version={version} worker={worker} attempts={{ attempt, compareWith }} />
    </div>
  );
}
