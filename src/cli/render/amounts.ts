import { formatUsd } from "../../base/money.ts";

/** `$3.70`: rounded half up to cents; `~` says that a part was estimated. */
export function renderUsd(dollars: number, isEstimated = false): string {
  // Documents carry whole micro-dollars; a float such as 0.29 must not lose its last cent.
  const text = formatUsd(Math.round(dollars * 1_000_000));
  return isEstimated ? `~${text}` : text;
}

/** `12,345` */
export function renderCount(value: number): string {
  return value.toLocaleString("en-US");
}
