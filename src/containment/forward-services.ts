import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { containmentErrors } from "../errors/containment.ts";
import { buildHostsText, buildRelayCommand, planRelay, type Service } from "./network/plan-relay.ts";
import { serveService } from "./network/serve-service.ts";

export type { Service } from "./network/plan-relay.ts";

/** Services that a command in a network namespace can reach; nothing else outside can be reached from there. */
export interface Forwarding {
  /** Holds the socket files. Only this user can enter it. */
  readonly folder: string;
  /** The words in front of the command. */
  readonly relay: readonly string[];
  /** Shown as the file of host names; undefined if no service needs a name. */
  readonly hosts: string | undefined;
  readonly close: () => void;
}

/** The kernel takes socket files up to this length, with room for their names. */
const MAX_FOLDER_LENGTH = 80;

/** Opens a way to each service, until it is closed. */
export async function forwardServices(services: readonly Service[], perl: string): Promise<Forwarding> {
  const parent = tmpdir().length > MAX_FOLDER_LENGTH ? "/tmp" : tmpdir();
  const folder = mkdtempSync(join(parent, "ambit-net-"));
  const servers: Server[] = [];
  const connections = new Set<{ destroy: () => void }>();
  const close = (): void => {
    for (const server of servers) server.close();
    for (const connection of connections) connection.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const places = planRelay(services, (index) => join(folder, String(index)));
    for (const { service, file } of places) {
      const server = await serveService(service, file);
      server.on("connection", (connection) => {
        connections.add(connection);
        connection.once("close", () => connections.delete(connection));
      });
      servers.push(server);
    }
    const text = buildHostsText(readHosts(), places);
    const hosts = text === undefined ? undefined : join(folder, "hosts");
    if (text !== undefined && hosts !== undefined) writeFileSync(hosts, text, { mode: 0o644 });
    return { folder, relay: buildRelayCommand(perl, places), hosts, close };
  } catch (error) {
    close();
    throw containmentErrors.notForwarded(error);
  }
}

function readHosts(): string {
  try {
    return readFileSync("/etc/hosts", "utf8");
  } catch {
    return "127.0.0.1 localhost\n::1 localhost\n";
  }
}
