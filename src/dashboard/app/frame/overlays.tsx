import { type ReactNode } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { closeOverlay, type Overlay } from "./overlay.ts";
import { CommandPalette } from "./command-palette.tsx";
import { KeyList } from "./key-list.tsx";
import { QuestionForm } from "./question-form.tsx";

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
