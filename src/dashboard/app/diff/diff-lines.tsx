import { memo, useRef, useState, type KeyboardEvent, useId, type FormEvent } from "react";
import { LongText } from "../parts/outside.tsx";
import { perform } from "../live/actions.ts";
import type { PatchFile, PatchLine } from "./parse-patch.ts";

interface DiffLinesProps {
  readonly patch: PatchFile;
  /** Null if no worker is running that could read a comment. */
  readonly worker: string | null;
}

const signs: Readonly<Record<PatchLine["kind"], string>> = {
  same: " ",
  added: "+",
  removed: "−",
  hunk: "",
  note: "",
};
const words: Readonly<Record<PatchLine["kind"], string>> = {
  same: "",
  added: "added: ",
  removed: "removed: ",
  hunk: "",
  note: "",
};

/** One stop for the Tab key per file; arrows move from line to line, Enter comments. */
export function DiffLines({ patch, worker }: DiffLinesProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState(0);
  const [commented, setCommented] = useState<number | null>(null);
  const close = (): void => {
    setCommented(null);
    body.current?.querySelector<HTMLElement>(`[data-line="${active}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLTableRowElement)) return;
    const target = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key];
    if (target !== undefined && patch.lines[target] !== undefined) {
      event.preventDefault();
      setActive(target);
      body.current?.querySelector<HTMLElement>(`[data-line="${target}"]`)?.focus();
    } else if (event.key === "Enter" && worker !== null) {
      event.preventDefault();
      setCommented(active);
    }
  };
  return (
    <div className="scroll-x">
      <table className="diff mono">
        <caption className="unseen">Changes in {patch.path}</caption>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {patch.lines.map((line, index) => (
            <DiffLine
              key={index}
              line={line}
              index={index}
              isActive={index === active}
              form={
                index === commented && worker !== null ? (
                  <CommentForm worker={worker} path={patch.path} line={line} onClose={close} />
                ) : null
              }
              onChoose={() => {
                setActive(index);
                if (worker !== null && line.kind !== "hunk") setCommented(index);
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DiffLineProps {
  readonly line: PatchLine;
  readonly index: number;
  readonly isActive: boolean;
  readonly form: React.ReactNode;
  readonly onChoose: () => void;
}

const DiffLine = memo(
  function DiffLine({ line, index, isActive, form, onChoose }: DiffLineProps) {
    return (
      <>
        <tr className={`line-${line.kind}`} data-line={index} tabIndex={isActive ? 0 : -1} onClick={onChoose}>
          <td className="line-number">{line.oldLine}</td>
          <td className="line-number">{line.newLine}</td>
          <td className="line-text">
            <span aria-hidden="true">{signs[line.kind]}</span>
            <span className="unseen">{words[line.kind]}</span>
            <LongText text={line.text} />
          </td>
        </tr>
        {form === null ? null : (
          <tr>
            <td colSpan={3}>{form}</td>
          </tr>
        )}
      </>
    );
  },
  (before, after) =>
    before.line === after.line &&
    before.isActive === after.isActive &&
    before.form === null &&
    after.form === null,
);

interface CommentFormProps {
  readonly worker: string;
  readonly path: string;
  readonly line: PatchLine;
  readonly onClose: () => void;
}

/** A comment on a line, sent to the worker as a message. */
function CommentForm({ worker, path, line, onClose }: CommentFormProps) {
  const [text, setText] = useState("");
  const id = useId();
  const number = line.newLine ?? line.oldLine;
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const place = number === null ? { path } : { path, line: number };
    const result = await perform({ kind: "message", id: worker, text: text.trim(), ...place });
    if (result !== undefined) onClose();
  };
  return (
    <form
      className="comment stack"
      onSubmit={(event) => void send(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <label className="label" htmlFor={id}>
        To the worker, about {path}
        {number === null ? "" : `, line ${number}`}
      </label>
      <textarea
        id={id}
        className="field"
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="actions">
        <button type="submit" className="button main-action" disabled={text.trim() === ""}>
          Send
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
