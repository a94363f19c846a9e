import type { Stage } from "./stage.ts";

/** How it is shown that the probe would get out of a sandbox that does not hold. */
export type Control =
  /** The same without any sandbox. */
  | { readonly kind: "plain" }
  /** The same for root only: an ordinary user is stopped by the system already. */
  | { readonly kind: "plain-as-root" }
  | { readonly kind: "plain-as-user" }
  /** The same in bubblewrap without the options that stop it; for root only. */
  | { readonly kind: "weakened"; readonly without: readonly string[] }
  | { readonly kind: "none"; readonly reason: string };

export interface Probe {
  readonly name: string;
  /** A shell script. Gets out by changing a canary, or by printing the secret or `ESCAPED`. */
  readonly script: (stage: Stage) => string;
  readonly control: Control;
  /** Started with descriptor 7 open on the folder of all canaries, as by a careless parent. */
  readonly inheritsFolder?: boolean;
  /** Landlock is known not to stop it. */
  readonly passesLandlock?: boolean;
}

export const plain: Control = { kind: "plain" };
export const asRoot: Control = { kind: "plain-as-root" };

export const perl = (code: string): string => `perl -e '${code}'`;
export const opens = (path: string): string => perl(`open(F, q(>>), q(${path})) and print "ESCAPED\\n"`);

export function sharedKey(secret: string): number {
  return Number.parseInt(secret.slice(0, 7), 16);
}
