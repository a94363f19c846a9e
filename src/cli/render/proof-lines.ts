interface WeakProof {
  readonly label: string;
  readonly why: string;
}

/** Green is not always a proof. The advice says how the next one is proven. */
const weakProofs: Readonly<Record<string, (advice: string) => WeakProof>> = {
  "no-regression": () => ({
    label: "checked",
    why: "its checks ended before the work as they do now: this shows no regression, not that the work is there",
  }),
  nothing: () => ({
    label: "unproven",
    why: "its checks pass, but nothing was changed: this proves nothing",
  }),
  unchecked: (advice) => ({ label: "unproven", why: `not proven: it has no check; ${advice}` }),
};

/** Where completed work is, and what its checks prove. */
export function renderProof(
  branch: string,
  proof: string | null | undefined,
  advice: string,
): readonly string[] {
  const weak = weakProofs[proof ?? ""]?.(advice);
  const label = weak?.label ?? "proven";
  return [`  ${label.padEnd(8)} branch ${branch}`, ...(weak === undefined ? [] : [`  why      ${weak.why}`])];
}
