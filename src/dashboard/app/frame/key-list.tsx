import { useStore } from "../live/store.ts";
import { closeOverlay } from "./overlay.ts";
import { singleKeys, switchSingleKeys } from "./keys.ts";

const everywhere: readonly (readonly [string, string])[] = [
  ["Ctrl+K or ⌘K", "Go to a story, delegation or view, or do something"],
  ["1 – 6", "Stories, Inbox, Board, Cost, Audit, Health"],
  ["/", "Filter the list"],
  ["?", "This list"],
  ["Esc", "Close the panel or the dialog"],
];

const inPlace: readonly (readonly [string, string])[] = [
  ["↑ ↓ Home End", "Move through rows"],
  ["→ ←", "Open and close a branch, or go to its first worker and back"],
  ["Enter", "Open the panel of a delegation"],
  ["a", "Inbox: approve"],
  ["r", "Inbox: reject"],
  ["e", "Inbox: reply"],
  ["m", "Board: move a task to another status"],
  ["f", "Log: follow the end"],
];

export function KeyList() {
  const isOn = useStore(singleKeys);
  return (
    <>
      <h2>Keys</h2>
      <Keys title="Everywhere" keys={everywhere} />
      <Keys title="In lists and trees" keys={inPlace} />
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

function Keys({ title, keys }: { readonly title: string; readonly keys: typeof everywhere }) {
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
