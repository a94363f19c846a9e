import { DelegationError } from "../base/delegation-error.ts";
import { isInsideRun } from "./inside-a-run.ts";
import { outsideLink, type OutsideLinkOptions } from "./outside-link.ts";
import type { RuntimeLink } from "./runtime-link.ts";
import { workerLink } from "./worker-link.ts";

export interface LinkOptions extends Omit<OutsideLinkOptions, "projectRoot"> {
  /** The repository around the current folder; only needed by who is not a worker. */
  readonly findProjectRoot: () => string;
}

/** Who calls is decided once, by the token in the environment alone; without one it is a person's own agent. */
export function openLink(options: LinkOptions): RuntimeLink {
  const { environment, findProjectRoot } = options;
  const token = environment["AMBIT_TOKEN"];
  if (token !== undefined) return workerLink({ socket: environment["AMBIT_SOCKET"], token });
  let link: RuntimeLink | undefined;
  const outside = (): RuntimeLink => {
    if (isInsideRun(environment)) throw noToken();
    return (link ??= outsideLink({ ...options, projectRoot: findProjectRoot() }));
  };
  return {
    mode: "outside",
    call: async (method, fields) => outside().call(method, fields),
    answer: async (approval, isApproved) => outside().answer?.(approval, isApproved),
    close: () => link?.close(),
  };
}

function noToken(): DelegationError {
  return new DelegationError({
    code: "NOT_A_WORKER",
    message: "This process belongs to a worker, but it has no AMBIT_TOKEN.",
    recommendation: "Leave the environment as ambit set it; a worker opens no story of its own.",
  });
}
