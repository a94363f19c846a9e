import { isatty } from "node:tty";
import { dropUndefined } from "../base/json.ts";
import { DelegationError } from "../base/delegation-error.ts";
import type { Surface } from "../contract/approval.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import { describeOwner, findOwner } from "./project-owner.ts";
import { protocolVersion, type Notice } from "./protocol/envelope.ts";
import { personCalls, type PersonCallName, type PersonCalls } from "./protocol/person-calls.ts";
import { CallNotTaken, connectLine, type LineClient } from "./socket/line-client.ts";
import type { SupervisorFiles } from "./supervisor-files.ts";

export type { Notice, PersonCallName, PersonCalls };

/** Calls the supervisor as a person's command does, over its socket or inside its own process. */
export interface SupervisorClient {
  readonly hello: PersonCalls["hello"]["answer"];
  /** Rejects with the supervisor's own error, SUPERVISOR_GONE if it went away, or SUPERVISOR_STUCK. */
  call<Name extends PersonCallName>(
    method: Name,
    parameters: PersonCalls[Name]["sent"],
  ): Promise<PersonCalls[Name]["answer"]>;
  onNotice(listener: (notice: Notice) => void): void;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
  close(): void;
}

/** The facts that a client states about itself. */
export interface Introduction {
  readonly version: string;
  /** The command line is assumed when this is absent. */
  readonly surface?: Surface | undefined;
  /** The variables of its shell; a client that opens no story need not give them. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The checkout it runs in. */
  readonly checkout?: string | undefined;
  /** Whether a supervisor of another protocol is acceptable: every one of them can be asked to leave. */
  readonly anyProtocol?: boolean | undefined;
}

/** The socket where a supervisor listens, and the note that names its process. */
export type SupervisorPlace = Pick<SupervisorFiles, "socket" | "owner">;

/** A connection to a supervisor that speaks our protocol. */
interface Connection {
  readonly hello: PersonCalls["hello"]["answer"];
  readonly line: LineClient;
}

/** Connects to a running supervisor; undefined if none is listening. Refuses another protocol unless told otherwise. */
export async function connectSupervisor(
  files: SupervisorPlace,
  introduction: Introduction,
): Promise<SupervisorClient | undefined> {
  const connection = await openConnection(files, introduction);
  return connection === undefined ? undefined : createClient(connection, undefined);
}

/** Undefined if no supervisor is listening or if it is leaving. */
export async function openConnection(
  { socket, owner }: SupervisorPlace,
  { version, surface = "cli", environment, checkout, anyProtocol }: Introduction,
): Promise<Connection | undefined> {
  const line = await connectLine(socket, () => describeSilence({ socket, owner }));
  const shell = dropUndefined({ environment, checkout });
  const introduction = { protocol: protocolVersion, version, surface, terminal: isatty(0), ...shell };
  const answer = await line?.call("hello", introduction).catch(ignoreGone);
  if (line === undefined || answer === undefined) return undefined;
  const hello = personCalls.hello.output.parse(answer);
  if (hello.protocol === protocolVersion || anyProtocol === true) return { hello, line };
  throw supervisorErrors.otherVersion({ running: hello.version, own: version });
}

export function describeSilence({ socket, owner }: SupervisorPlace): DelegationError {
  const found = findOwner(owner);
  return found === undefined
    ? supervisorErrors.foreignListener(socket)
    : supervisorErrors.stuck(describeOwner(found));
}

function ignoreGone(error: unknown): undefined {
  const isGone = error instanceof DelegationError && error.code === "SUPERVISOR_GONE";
  if (isGone || error instanceof CallNotTaken) return undefined;
  throw error;
}

const MAX_SUCCESSORS = 5;

/**
 * The calls by name over a connection. A call that a leaving supervisor did not accept is sent to its successor, which
 * `findSuccessor` connects to; a call that was accepted is never sent again.
 */
export function createClient(
  { hello, line: first }: Connection,
  findSuccessor: (() => Promise<Connection>) | undefined,
): SupervisorClient {
  const lines = new LineSuccession(first, findSuccessor);
  return {
    hello,
    call: async (method, parameters) =>
      personCalls[method].output.parse(await lines.send(method, parameters)),
    onNotice: (listener) => void lines.listeners.push(listener),
    closed: lines.closed,
    close: () => lines.close(),
  };
}

/** The connection of a client, which its successor may replace. */
class LineSuccession {
  readonly listeners: ((notice: Notice) => void)[] = [];
  readonly closed: Promise<void>;
  readonly #findSuccessor: (() => Promise<Connection>) | undefined;
  #markClosed: () => void = () => undefined;
  readonly #left: LineClient[] = [];
  #line: LineClient;
  #next: Promise<void> | undefined;
  #isClosed = false;

  constructor(first: LineClient, findSuccessor: (() => Promise<Connection>) | undefined) {
    this.closed = new Promise((resolve) => (this.#markClosed = resolve));
    this.#findSuccessor = findSuccessor;
    this.#line = this.#listen(first);
  }

  async send(method: string, parameters: unknown): Promise<unknown> {
    for (let successors = 0; ; successors += 1) {
      const line = this.#line;
      try {
        return await line.call(method, parameters);
      } catch (error) {
        if (!(error instanceof CallNotTaken)) throw error;
        if (successors === MAX_SUCCESSORS) throw supervisorErrors.gone();
        await this.#replace(line);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const line of [...this.#left, this.#line]) line.close();
  }

  /** Calls that were refused at the same time share one successor. */
  async #replace(left: LineClient): Promise<void> {
    if (left !== this.#line) return;
    this.#next ??= this.#succeed().finally(() => (this.#next = undefined));
    await this.#next;
  }

  async #succeed(): Promise<void> {
    if (this.#isClosed || this.#findSuccessor === undefined) throw supervisorErrors.gone();
    const { line } = await this.#findSuccessor();
    // The calls that were accepted are still answered on the old line.
    this.#left.push(this.#line);
    this.#line = this.#listen(line);
    if (this.#isClosed) line.close();
  }

  #listen(line: LineClient): LineClient {
    line.onNotice((notice) => {
      for (const listener of this.listeners) listener(notice);
    });
    const onClosed = (): void => (line === this.#line ? this.#markClosed() : undefined);
    void line.closed.then(onClosed);
    return line;
  }
}
