/** `$3.70`: rounded half up to cents; `~` says that a part was estimated. */
export function renderUsd(dollars: number, isEstimated = false): string {
  // Documents carry whole micro-dollars; a float such as 0.29 must not lose its last cent.
  const cents = Math.round(Math.round(Math.abs(dollars) * 1_000_000) / 10_000);
  const text = `${dollars < 0 ? "-" : ""}$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  return isEstimated ? `~${text}` : text;
}

/** `12,345` */
export function renderCount(value: number): string {
  return value.toLocaleString("en-US");
}
