import { DelegationError } from "../base/delegation-error.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import { protocolVersion, type Notice } from "./protocol/envelope.ts";
import { personCalls, type PersonCallName, type PersonCalls } from "./protocol/person-calls.ts";
import { connectLine } from "./socket/line-client.ts";

export type { Notice, PersonCallName, PersonCalls };

/** Calls the supervisor as a person's command does, over its socket or inside its own process. */
export interface SupervisorClient {
  readonly hello: PersonCalls["hello"]["answer"];
  /** Rejects with the supervisor's own error, or SUPERVISOR_GONE if it went away. */
  call<Name extends PersonCallName>(
    method: Name,
    parameters: PersonCalls[Name]["sent"],
  ): Promise<PersonCalls[Name]["answer"]>;
  onNotice(listener: (notice: Notice) => void): void;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Connects to a running supervisor; undefined if none is listening. Refuses one of another protocol. */
export async function connectSupervisor(
  socketPath: string,
  version: string,
): Promise<SupervisorClient | undefined> {
  const line = await connectLine(socketPath);
  if (line === undefined) return undefined;
  const call: SupervisorClient["call"] = async (method, parameters) =>
    personCalls[method].output.parse(await line.call(method, parameters));
  const hello = await call("hello", { protocol: protocolVersion, version }).catch(ignoreGone);
  // The supervisor ended before it could answer, so none is running.
  if (hello === undefined) return undefined;
  if (hello.protocol !== protocolVersion)
    throw supervisorErrors.otherVersion({ running: hello.version, own: version });
  return {
    hello,
    call,
    onNotice: (listener) => line.onNotice(listener),
    closed: line.closed,
    close: () => line.close(),
  };
}

function ignoreGone(error: unknown): undefined {
  if (error instanceof DelegationError && error.code === "SUPERVISOR_GONE") return undefined;
  throw error;
}
