import { isBelowLauncher } from "../../containment/inside-run.ts";
import type { AppContext } from "./app-context.ts";

/**
 * Whether this process is certainly part of a run: the kernel says so, or the supervisor knows its token. Variables alone
 * prove nothing here, because the shell of a person may have taken them from the project, from a `.envrc` for example.
 */
export async function isKnownWorker({ environment }: Pick<AppContext, "environment">): Promise<boolean> {
  const { AMBIT_SOCKET: socket, AMBIT_TOKEN: token } = environment;
  if (isBelowLauncher(process.pid)) return true;
  if (socket === undefined || token === undefined) return false;
  const { knowsToken } = await import("../../supervisor/worker-client.ts");
  return knowsToken(socket, token);
}
