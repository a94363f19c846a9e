import type { ReactNode } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useStore } from "../live/store.ts";
import { closeOverlay, type Overlay } from "./overlay.ts";
import { CommandPalette } from "./command-palette.tsx";
import { QuestionForm } from "./question-form.tsx";
import { singleKeys, switchSingleKeys } from "./keys.ts";

const keysEverywhere: readonly (readonly [string, string])[] = [
  ["Ctrl+K or ⌘K", "Go to a story, delegation or view, or do something"],
  ["1 – 6", "Stories, Inbox, Board, Cost, Audit, Health"],
  ["/", "Filter the list"],
  ["?", "This list"],
  ["Esc", "Close the panel or the dialog"],
];

const keysInLists: readonly (readonly [string, string])[] = [
  ["↑ ↓ Home End", "Move through rows"],
  ["→ ←", "Open and close a branch, or go to its first worker and back"],
  ["Enter", "Open the panel of a delegation"],
  ["a", "Inbox: approve"],
  ["r", "Inbox: reject"],
  ["e", "Inbox: reply"],
  ["m", "Board: move a task to another status"],
  ["f", "Log: follow the end"],
];

/** The dialog, palette or key list above the page; only one is open at a time. */
export function Overlays({ shown }: { readonly shown: Exclude<Overlay, { kind: "none" }> }) {
  switch (shown.kind) {
    case "palette":
      return (
        <Above label="Go to a view or run an action" className="palette" onClose={closeOverlay}>
          <CommandPalette />
        </Above>
      );
    case "keys":
      return (
        <Above label="Keys" onClose={closeOverlay}>
          <KeyList />
        </Above>
      );
    case "question":
      return (
        <Above label={shown.question.title} onClose={() => shown.answer(null)}>
          <QuestionForm question={shown.question} answer={shown.answer} />
        </Above>
      );
  }
}

interface AboveProps {
  readonly label: string;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Above({ label, className = "", onClose, children }: AboveProps) {
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
    >
      <Modal className={`dialog ${className}`}>
        <Dialog aria-label={label}>{children}</Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function KeyList() {
  const isOn = useStore(singleKeys);
  return (
    <>
      <h2>Keys</h2>
      <Keys title="Everywhere" keys={keysEverywhere} />
      <Keys title="In lists and trees" keys={keysInLists} />
      <label>
        <input type="checkbox" checked={isOn} onChange={(event) => switchSingleKeys(event.target.checked)} />{" "}
        Single-letter keys are on
      </label>
      <div className="actions">
        <button type="button" className="button" autoFocus onClick={closeOverlay}>
          Close
        </button>
      </div>
    </>
  );
}

function Keys({ title, keys }: { readonly title: string; readonly keys: typeof keysEverywhere }) {
  return (
    <div>
      <h3>{title}</h3>
      <dl className="keys">
        {keys.map(([key, meaning]) => (
          <div key={key} className="key-row">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
