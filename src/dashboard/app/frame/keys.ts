import { useEffect, useRef } from "react";
import { createStore } from "../live/store.ts";

const KEY = "ambit-single-keys";

/** Single-letter keys get in the way of voice control, so the key list can switch them off. */
export const singleKeys = createStore(window.localStorage.getItem(KEY) !== "off");

export function switchSingleKeys(isOn: boolean): void {
  window.localStorage.setItem(KEY, isOn ? "on" : "off");
  singleKeys.set(() => isOn);
}

export type KeyTable = Readonly<Record<string, () => void>>;

/** Keys that work wherever the focus is, except in a text field or while a dialog is open. */
export function useKeys(table: KeyTable): void {
  const newest = useRef(table);
  newest.current = table;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = newest.current[event.key];
      if (action === undefined || !singleKeys.get() || isTaken(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const { target } = event;
  const isWriting =
    target instanceof HTMLElement &&
    target.matches("input, textarea, select, [contenteditable], [role=menuitemradio]");
  return isWriting || document.querySelector("[role=dialog]") !== null;
}
