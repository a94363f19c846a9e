import type { TodoRow } from "../../../app/view-types.ts";
import { Empty } from "../parts/notices.tsx";
import { LongText, Outside } from "../parts/outside.tsx";
import { Tag } from "../parts/state-mark.tsx";
import type { Tone } from "../text/state-look.ts";
import { statusWord } from "../text/status-word.ts";
import type { TabProps } from "./tab-props.ts";

const marks: Readonly<Record<TodoRow["status"], { readonly glyph: string; readonly tone: Tone }>> = {
  pending: { glyph: "◌", tone: "quiet" },
  in_progress: { glyph: "●", tone: "busy" },
  delegated: { glyph: "◔", tone: "busy" },
  completed: { glyph: "✔", tone: "good" },
};

/** A manager's task list, and which worker has which task. */
export function TodoTab({ detail: { todos } }: TabProps) {
  if (todos.length === 0) return <Empty title="No list">It keeps none, or has nothing on it.</Empty>;
  return (
    <ul className="cards">
      {todos.map(({ id, content, status, worker, blocked }) => (
        <li key={id} className="card">
          <p className="card-head">
            <Tag tone={marks[status].tone}>
              <span aria-hidden="true">{marks[status].glyph}</span> {statusWord(status)}
            </Tag>
            <span className="criterion-text">
              <LongText text={content} />
            </span>
            <Outside text={worker} className="quiet" />
          </p>
          {blocked === "" ? null : (
            <p>
              <span aria-hidden="true">? </span>
              blocked: <LongText text={blocked} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
