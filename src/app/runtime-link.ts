import { mcpErrors } from "../errors/mcp.ts";
import { callAsWorker } from "../supervisor/worker-client.ts";
import { isInsideWorker } from "./project/require-person.ts";
import { externalLink, type ExternalLinkOptions } from "./runtime-link/external-link.ts";
import { findProject } from "./project/open-project.ts";
import type { RuntimeLink } from "./runtime-link/link.ts";

export type { RuntimeLink };

export interface LinkOptions extends Omit<ExternalLinkOptions, "checkTrust" | "projectRoot"> {
  /** Somewhere inside the project; not needed for a worker. */
  readonly directory: string;
}

/** The token in the environment decides once who calls; without a token it is a person's own agent. */
export function openRuntimeLink(options: LinkOptions): RuntimeLink {
  const { environment } = options;
  const token = environment["AMBIT_TOKEN"];
  if (token !== undefined) return workerLink({ socket: environment["AMBIT_SOCKET"], token });
  let link: RuntimeLink | undefined;
  const openExternal = (): RuntimeLink => {
    if (isInsideWorker(options)) throw mcpErrors.noToken();
    const projectRoot = findProject(options).root;
    const homeDirectory = environment["HOME"];
    const checkTrust = async (): Promise<boolean> => {
      // Loaded only here: a worker's sandbox lacks some of its libraries.
      const { requireTrust } = await import("./project/require-trust.ts");
      return requireTrust({ ...options, homeDirectory });
    };
    return (link ??= externalLink({ ...options, surface: "mcp", projectRoot, checkTrust }));
  };
  return {
    mode: "outside",
    call: async (method, fields) => openExternal().call(method, fields),
    answer: async (approval, isApproved) => openExternal().answer?.(approval, isApproved),
    close: () => link?.close(),
  };
}

interface WorkerIdentity {
  readonly socket: string | undefined;
  readonly token: string;
}

/** For an agent that Ambit started. Its input cannot replace its token, which is added last. */
function workerLink({ socket, token }: WorkerIdentity): RuntimeLink {
  return {
    mode: "worker",
    call: async (method, fields) => {
      if (socket === undefined || socket === "") throw mcpErrors.noSocket();
      return callAsWorker(socket, { method, parameters: { ...fields, token } });
    },
    close: () => undefined,
  };
}
