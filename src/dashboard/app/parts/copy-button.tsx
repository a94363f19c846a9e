import { useState } from "react";
import { announce } from "../live/announce.ts";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the name of the button: "the branch". */
  readonly what: string;
  /** Shown on the button instead of a mark alone. */
  readonly label?: string;
}

const SHOWN_MS = 1500;

export function CopyButton({ text, what, label }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  const copy = async (event: React.MouseEvent): Promise<void> => {
    event.stopPropagation();
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}.`);
    setDone(true);
    window.setTimeout(() => setDone(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      className={`button copy no-print${label === undefined ? " bare" : ""}`}
      aria-label={label === undefined ? `Copy ${what}` : `Copy ${label}`}
      title={`Copy ${what}`}
      onClick={(event) => void copy(event)}
    >
      {label === undefined ? null : <code>{label}</code>} <span aria-hidden="true">{isDone ? "✔" : "⧉"}</span>
    </button>
  );
}
