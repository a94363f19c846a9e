import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { listFolder, readTextOrEmpty } from "../base/files.ts";

/** A process that listens on a port of this machine. */
export interface Listener {
  readonly pid: number;
  readonly name: string;
}

/** State of a listening socket in `/proc/net/tcp`. */
const LISTENING = "0A";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** Whether a process, of whichever user, listens on a TCP port of this machine. */
export function isListenedOn(port: number): boolean {
  return TABLES.some((file) => listSockets(file, port).length > 0);
}

/** Finds the process that listens on a TCP port; undefined if there is none, or it belongs to another user. */
export function findListener(port: number): Listener | undefined {
  const sockets = new Set(TABLES.flatMap((file) => listSockets(file, port)));
  if (sockets.size === 0) return undefined;
  const pids = listFolder("/proc").filter((name) => /^\d+$/.test(name));
  const pid = pids.find((one) =>
    listFolder(`/proc/${one}/fd`).some((fd) => sockets.has(readTarget(`/proc/${one}/fd`, fd))),
  );
  return pid === undefined
    ? undefined
    : { pid: Number(pid), name: readTextOrEmpty(`/proc/${pid}/comm`).trim() };
}

/** `sl local_address rem_address st … inode`, with the port in hexadecimal after a colon. */
function listSockets(file: string, port: number): readonly string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readTextOrEmpty(file)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(wanted) === true && fields[3] === LISTENING)
    .map((fields) => `socket:[${fields[9] ?? ""}]`);
}

function readTarget(folder: string, name: string): string {
  try {
    return readlinkSync(join(folder, name));
  } catch {
    // The process has closed it meanwhile.
    return "";
  }
}
