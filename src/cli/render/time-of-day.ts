/** Gives `12:04:31`, in the zone a person lives in. */
export function timeOfDay(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "--:--:--";
  return joinDigits(":", date.getHours(), date.getMinutes(), date.getSeconds());
}

/** Gives `2026-03-09 12:04`, in the same zone. */
export function dayAndMinute(at: string): string {
  const date = new Date(at);
  const day = joinDigits("-", date.getFullYear(), date.getMonth() + 1, date.getDate());
  return `${day} ${joinDigits(":", date.getHours(), date.getMinutes())}`;
}

function joinDigits(mark: string, ...parts: readonly number[]): string {
  return parts.map((part) => String(part).padStart(2, "0")).join(mark);
}
