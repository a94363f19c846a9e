import { useState } from "react";
import { announce } from "../live/announce.ts";

interface CopyButtonProps {
  readonly text: string;
  /** The copied thing, for the name of the button: "the branch". */
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
      {label === undefined ? null : <code>{label}</code>} <CopyMark isDone={isDone} />
    </button>
  );
}

/** Drawn, because many fonts have no letter for it. */
function CopyMark({ isDone }: { readonly isDone: boolean }) {
  if (isDone) return <span aria-hidden="true">✔</span>;
  return (
    <svg className="copy-mark" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <rect x="5.5" y="5.5" width="9" height="9" rx="1.5" />
      <path d="M3.5 10.5h-1a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v1" />
    </svg>
  );
}
