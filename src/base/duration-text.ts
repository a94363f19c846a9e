/** `850ms`, `41s`, `4m37s`, `2h05m`: two units at most. */
export function renderDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.max(0, Math.round(durationMs))}ms`;
  const seconds = Math.floor(durationMs / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`;
}

/** `45s`, `8m`, `2h05m`: for a time that need not be exact. */
export function renderMinutes(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  return minutes < 1 || minutes >= 60 ? renderDuration(durationMs) : `${minutes}m`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
