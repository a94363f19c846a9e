import { useId, useState, type FormEvent } from "react";
import { perform } from "../live/actions.ts";
import type { PatchLine } from "./parse-patch.ts";

interface CommentFormProps {
  readonly worker: string;
  readonly path: string;
  readonly line: PatchLine;
  readonly onClose: () => void;
}

/** A comment on a line, sent to the worker as a message. */
export function CommentForm({ worker, path, line, onClose }: CommentFormProps) {
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
