import type { SystemCalls } from "../launcher/tools.ts";
import { GUARD_SCRIPT } from "./guard-script.ts";

export type GuardFlag = "caps" | "files" | "sockets" | "tcp";

/** `r`: read and execute. `w`: everything but device files. `d`: read and write a device. */
export type GuardRule = `${"d" | "r" | "w"}:${string}`;

export interface GuardRequest {
  readonly perl: string;
  readonly calls: GuardCalls;
  readonly flags: readonly GuardFlag[];
  readonly rules: readonly GuardRule[];
}

export interface GuardCalls extends Pick<SystemCalls, "prctl"> {
  readonly socket: number;
  readonly addKey: number;
  readonly requestKey: number;
  readonly keyctl: number;
  readonly ioctl: number;
  readonly capset: number;
  /** The kernel's number for this processor architecture in a system call filter. */
  readonly architecture: number;
}

const GENERIC = { socket: 198, addKey: 217, requestKey: 218, keyctl: 219, ioctl: 29, capset: 91 };
const CALLS: Readonly<Record<string, Omit<GuardCalls, "prctl">>> = {
  x64: {
    socket: 41,
    addKey: 248,
    requestKey: 249,
    keyctl: 250,
    ioctl: 16,
    capset: 126,
    architecture: 0xc000003e,
  },
  arm64: { ...GENERIC, architecture: 0xc00000b7 },
  riscv64: { ...GENERIC, architecture: 0xc00000f3 },
};

/** Builds the words in front of a command that runs under the guard. */
export function buildGuardCommand({ perl, calls, flags, rules }: GuardRequest): readonly string[] {
  const { prctl, socket, addKey, requestKey, keyctl, ioctl, capset, architecture } = calls;
  const numbers = [prctl, socket, addKey, requestKey, keyctl, ioctl, capset, architecture].join(",");
  return [perl, "-e", GUARD_SCRIPT, "--", numbers, flags.join(","), String(rules.length), ...rules];
}

export function guardCallsFor(architecture: string, calls: SystemCalls | null): GuardCalls | null {
  const known = CALLS[architecture];
  return known === undefined || calls === null ? null : { ...known, prctl: calls.prctl };
}
