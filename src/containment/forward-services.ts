import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { join } from "node:path";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { containmentErrors } from "../errors/containment.ts";
import type { FindProxy } from "./network/parent-proxy.ts";
import {
  buildHostsText,
  buildRelayCommand,
  isOfThisMachine,
  planRelay,
  type RelayPlace,
  type Service,
} from "./network/plan-relay.ts";
import { readIdentity } from "./process-identity.ts";
import { serveHosts } from "./network/serve-hosts.ts";
import { serveService } from "./network/serve-service.ts";

export { readParentProxy } from "./network/parent-proxy.ts";
export { isOfThisMachine, type Service } from "./network/plan-relay.ts";

/** The services that can be reached from a network namespace. */
export interface ForwardRequest {
  /** Reached at their own ports, byte for byte. */
  readonly services: readonly Service[];
  /**
   * Reached through a proxy inside, which programs find in their variables; `*.example.org` covers all hosts below it.
   */
  readonly hosts?: readonly Service[] | undefined;
  /** Every host except this machine can be reached through the same proxy. */
  readonly isOpen?: boolean | undefined;
  /** The proxy that this machine itself has to use for such hosts. */
  readonly findProxy?: FindProxy;
}

/** An open way for a command in a network namespace; no other host outside can be reached from there. */
export interface Forwarding {
  /** Holds the socket files. Only this user can enter it. */
  readonly folder: string;
  /** The words to put in front of the command. */
  readonly relay: readonly string[];
  /** Shown as the file of host names; undefined if no service needs a name. */
  readonly hosts: string | undefined;
  /** Variables by which programs find the proxy; empty without hosts. */
  readonly environment: Readonly<Record<string, string>>;
  /** The hosts that were asked for and refused, each once. */
  readonly listRefused: () => readonly string[];
  readonly close: () => void;
}

/** The kernel accepts socket files up to this length, with room for their names. */
const MAX_FOLDER_LENGTH = 80;
const FOLDER_START = "ambit-net-";
/** The proxy inside, where no other program listens before the command starts. */
const PROXY: Service = { host: "localhost", port: 41_943 };

/** Opens a way to each service and host, until it is closed. */
export async function forwardServices(request: ForwardRequest, perl: string): Promise<Forwarding> {
  const parent = getTemporaryFolder().length > MAX_FOLDER_LENGTH ? "/tmp" : getTemporaryFolder();
  removeFoldersOfDead(parent);
  const folder = mkdtempSync(join(parent, `${FOLDER_START}${process.pid}-`));
  const hasProxy = request.hosts !== undefined || request.isOpen === true;
  const ways = new OpenWays();
  const close = (): void => {
    ways.closeAll();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const services = [...request.services, ...(hasProxy ? [PROXY] : [])];
    const places = planRelay(services, (index) => join(folder, String(index)));
    for (const place of places) ways.add(await serve(place, request, ways));
    const hosts = writeHosts(join(folder, "hosts"), places);
    return {
      folder,
      relay: buildRelayCommand(perl, places),
      hosts,
      environment: hasProxy ? buildProxyVariables(PROXY.port) : {},
      listRefused: () => [...ways.refused],
      close,
    };
  } catch (error) {
    close();
    throw containmentErrors.notForwarded(error);
  }
}

/** A process that was killed cannot remove its folders; the next process of this user does. */
function removeFoldersOfDead(parent: string): void {
  for (const name of readdirSync(parent)) {
    const maker = Number(new RegExp(`^${FOLDER_START}(\\d+)-`).exec(name)?.[1]);
    if (Number.isInteger(maker) && readIdentity(maker) === undefined) removeOwnFolder(join(parent, name));
  }
}

function removeOwnFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true && stats.uid === process.getuid?.())
    rmSync(folder, { recursive: true, force: true });
}

class OpenWays {
  readonly refused = new Set<string>();
  readonly #servers: Server[] = [];
  readonly #connections = new Set<Socket>();

  add(server: Server): void {
    this.#servers.push(server);
    server.on("connection", (connection) => {
      this.#connections.add(connection);
      connection.once("close", () => this.#connections.delete(connection));
    });
  }

  closeAll(): void {
    for (const server of this.#servers) server.close();
    for (const connection of this.#connections) connection.destroy();
  }
}

const MAX_REFUSED = 20;

function serve(
  { service, file }: RelayPlace,
  request: ForwardRequest,
  { refused }: OpenWays,
): Promise<Server> {
  if (service !== PROXY) return serveService(service, file);
  const onRefused = (asked: string): void => {
    if (refused.size < MAX_REFUSED) refused.add(asked);
  };
  const { hosts = [], isOpen, services, findProxy = () => undefined } = request;
  // Some programs use the proxy for loopback, too.
  const all = [
    ...hosts,
    ...services,
    ...services.filter(isOfThisMachine).map(({ port }) => ({ host: "127.0.0.1", port })),
  ];
  return serveHosts({ hosts: all, isOpen, findProxy, onRefused }, file);
}

function writeHosts(file: string, places: readonly RelayPlace[]): string | undefined {
  const text = buildHostsText(readMachineHosts(), places);
  if (text === undefined) return undefined;
  writeFileSync(file, text, { mode: 0o644 });
  return file;
}

function readMachineHosts(): string {
  try {
    return readFileSync("/etc/hosts", "utf8");
  } catch {
    return "127.0.0.1 localhost\n::1 localhost\n";
  }
}

function buildProxyVariables(port: number): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${port}`;
  const own = "localhost,127.0.0.1,::1";
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  return { ...Object.fromEntries(names.map((name) => [name, proxy])), NO_PROXY: own, no_proxy: own };
}
