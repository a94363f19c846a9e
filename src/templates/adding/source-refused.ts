import { DelegationError } from "../../base/delegation-error.ts";

export function sourceRefused(source: string, why: string): DelegationError {
  return new DelegationError({
    code: "TEMPLATE_SOURCE_REFUSED",
    message: `${source}: ${why}. Nothing was written.`,
    recommendation: "Name a folder, a template file or a git URL with templates you trust.",
  });
}
