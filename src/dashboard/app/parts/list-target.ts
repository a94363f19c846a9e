const PAGE = 15;

/** The row that a key leads to; undefined for keys that do not move. */
export function listTarget(key: string, active: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + PAGE,
    PageUp: active - PAGE,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}
