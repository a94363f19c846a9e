import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { useStore } from "../live/store.ts";
import { liveProject } from "../live/project.ts";
import { shownNodes } from "../live/story.ts";
import { Outside } from "../parts/outside.tsx";
import { findCommands, listCommands, type Command } from "./commands.ts";
import { closeOverlay } from "./overlay.ts";

/** A field with a list below it. The field keeps the focus; arrow keys move through the list. */
export function CommandPalette() {
  const { runs } = useStore(liveProject);
  const nodes = useStore(shownNodes);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const all = useMemo(() => listCommands([...runs.values()], [...nodes.values()]), [runs, nodes]);
  const found = findCommands(all, text);
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((chosen + step + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(found[chosen]);
    }
  };
  return (
    <>
      <input
        className="field"
        autoFocus
        role="combobox"
        aria-label="Go to a view or run an action"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        placeholder="Go to a story or view, or run an action…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <CommandList id={id} found={found} chosen={chosen} />
    </>
  );
}

interface CommandListProps {
  readonly id: string;
  readonly found: readonly Command[];
  readonly chosen: number;
}

function CommandList({ id, found, chosen }: CommandListProps) {
  return (
    <>
      <ul id={`${id}-list`} role="listbox" aria-label="Found">
        {found.map((command, index) => (
          <li
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => choose(command)}
            ref={(element) => {
              if (index === chosen) element?.scrollIntoView({ block: "nearest" });
            }}
          >
            <Outside text={command.name} className="cut" />
            <span className="where">{command.where}</span>
          </li>
        ))}
      </ul>
      <p className={found.length === 0 ? "loading" : "unseen"} role="status">
        {found.length === 0 ? "Nothing found." : `${found.length} found.`}
      </p>
    </>
  );
}

/** Closes the palette first, because the command may open a dialog. */
function choose(command: Command | undefined): void {
  if (command === undefined) return;
  closeOverlay();
  command.run();
}
