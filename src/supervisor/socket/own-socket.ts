import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { supervisorErrors } from "../../errors/supervisor.ts";

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Throws where another user could be the one who answers: the folder or the socket belongs to someone else, is a link, or
 * the folder lets others put a socket there. The caller tells the other side what its person wants.
 */
export function refuseForeignSocket(socketPath: string): void {
  const uid = process.getuid?.();
  const socket = lstatSync(socketPath, { throwIfNoEntry: false });
  if (uid === undefined || socket === undefined) return;
  const folder = dirname(socketPath);
  const place = lstatSync(folder, { throwIfNoEntry: false });
  const isOurs =
    place?.isDirectory() === true && place.uid === uid && (place.mode & WRITABLE_BY_OTHERS) === 0;
  if (!isOurs) throw supervisorErrors.foreignFolder(folder);
  if (!socket.isSocket() || socket.uid !== uid) throw supervisorErrors.foreignSocket(socketPath);
}
