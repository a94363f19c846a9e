import type { KeyboardEvent } from "react";
import { listTarget } from "../parts/list-target.ts";
import type { TreeRow } from "./tree-rows.ts";

interface TreeKeys {
  readonly rows: readonly TreeRow[];
  readonly activeIndex: number;
  readonly onMove: (index: number) => void;
  readonly onToggle: (id: string) => void;
  readonly onChoose: (id: string) => void;
}

/** The keys that users expect in a treegrid. */
export function useTreeKeys(keys: TreeKeys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = findStep(event.key, keys);
    if (step === undefined) return;
    event.preventDefault();
    step();
  };
}

function findStep(key: string, keys: TreeKeys): (() => void) | undefined {
  const { rows, activeIndex, onMove } = keys;
  const target = listTarget(key, activeIndex, rows.length);
  if (target !== undefined) return () => onMove(target);
  const row = rows[activeIndex];
  if (row === undefined) return undefined;
  if (key === "Enter" || key === " ") return () => keys.onChoose(row.node.id);
  if (key === "ArrowRight") return () => goIn(row, keys);
  if (key === "ArrowLeft") return () => goOut(row, keys);
  return undefined;
}

function goIn(row: TreeRow, { activeIndex, onMove, onToggle }: TreeKeys): void {
  if (!row.hasWorkers) return;
  if (row.isOpen) onMove(activeIndex + 1);
  else onToggle(row.node.id);
}

function goOut(row: TreeRow, { rows, activeIndex, onMove, onToggle }: TreeKeys): void {
  if (row.isOpen) {
    onToggle(row.node.id);
    return;
  }
  const manager = rows.slice(0, activeIndex).findLastIndex(({ level }) => level < row.level);
  if (manager !== -1) onMove(manager);
}
