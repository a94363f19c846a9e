/** Gives `12:04:31`, in the zone a person lives in. */
export function timeOfDay(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "--:--:--";
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}
