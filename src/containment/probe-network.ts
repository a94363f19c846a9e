import { readErrorMessage } from "../base/delegation-error.ts";
import { runCommand } from "../base/run-command.ts";
import { buildRelayCommand } from "./network/plan-relay.ts";
import { type ContainmentReport, probeContainment } from "./probe-containment.ts";

/** Whether commands can have a network of their own here, with services forwarded into it. */
export type NetworkReport =
  | { readonly kind: "works"; readonly perl: string }
  /** `why` is a clause for people. */
  | { readonly kind: "fails"; readonly why: string };

const TRIAL_MS = 10_000;

let cached: Promise<NetworkReport> | undefined;

/** Tries it once and remembers the result. */
export function probeNetwork(): Promise<NetworkReport> {
  cached ??= probeContainment().then(probeNetworkWith);
  return cached;
}

/** Probes with other programs; the result is not remembered. */
export async function probeNetworkWith({
  tiers,
  tools,
}: Pick<ContainmentReport, "tiers" | "tools">): Promise<NetworkReport> {
  const namespace = tiers.find(({ tier }) => tier === "pid-namespace");
  const { bubblewrap, perl } = tools;
  if (namespace?.available !== true || bubblewrap === null)
    return { kind: "fails", why: namespace?.reason ?? "there is no bubblewrap" };
  if (perl === null) return { kind: "fails", why: "there is no /usr/bin/perl" };
  const options = ["--dev-bind", "/", "/", "--unshare-pid", "--unshare-net", "--"];
  const argv = [bubblewrap, ...options, ...buildRelayCommand(perl, []), "/bin/sh", "-c", ":"];
  try {
    const { exitCode, stderr } = await runCommand({ argv, cwd: "/", environment: {}, timeoutMs: TRIAL_MS });
    if (exitCode === 0) return { kind: "works", perl };
    const line = stderr.toString("utf8").split("\n")[0]?.slice(0, 200) ?? "";
    return { kind: "fails", why: line || `the trial ended with ${String(exitCode)}` };
  } catch (error) {
    return { kind: "fails", why: readErrorMessage(error) };
  }
}
