/** Formats the usage of agents. Usage that was not reported, or has no known price, is not free. */
export function formatSpent(microUsd: number): string {
  return microUsd === 0 ? "not reported" : formatUsd(microUsd);
}

/** Shows cents for amounts from one cent, and four decimal places below that. */
export function formatUsd(microUsd: number): string {
  const usd = microUsd / 1_000_000;
  if (microUsd === 0) return "$0.00";
  if (usd < 0.0001) return "<$0.0001";
  return `$${usd < 0.01 ? usd.toFixed(4) : usd < 1000 ? usd.toFixed(2) : wholeNumber.format(usd)}`;
}

const wholeNumber = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function formatCount(count: number): string {
  return wholeNumber.format(count);
}

/** `850`, `38k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 10_000) return `${(tokens / 1000).toFixed(1)}k`;
  return tokens < 1_000_000 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** `0.8s`, `41s`, `4m37s`, `2h05m`: two units at most, as in the terminal. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < 1000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${twoDigits(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h${twoDigits(minutes % 60)}m` : `${Math.floor(hours / 24)}d${hours % 24}h`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

export function formatClock(atMs: number): string {
  return clock.format(atMs);
}

/** `16 Nov, 19:03:48`, in the time zone of the browser. */
export function formatStamp(atMs: number): string {
  return `${day.format(atMs)}, ${clock.format(atMs)}`;
}

export function formatMoment(atMs: number): string {
  return whole.format(atMs);
}

/** Recent moments as a distance ("3 min ago"), older ones as a date. */
export function formatAgo(atMs: number, nowMs: number): string {
  const distance = nowMs - atMs;
  if (distance < 60_000) return "just now";
  if (distance < 3_600_000) return `${Math.floor(distance / 60_000)} min ago`;
  if (distance < 86_400_000) return `${Math.floor(distance / 3_600_000)} h ago`;
  return `${day.format(atMs)}, ${clock.format(atMs).slice(0, 5)}`;
}

export function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
