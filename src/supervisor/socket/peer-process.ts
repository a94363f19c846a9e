import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { isInsideRun } from "../../containment/inside-run.ts";
import { readIdentity } from "../../containment/process-identity.ts";

/** A fixed path, as for containment: it is never searched for where a worker could have put a program of its own. */
const PERL = "/usr/bin/perl";

/** Node has no getsockopt. SO_PEERCRED holds the facts that the kernel noted when the other side connected. */
const SCRIPT =
  'open(my $s, "+<&=", 3) or exit 1; my $c = getsockopt($s, 1, 17) or exit 1; print unpack("l", $c)';

const MAX_ANSWER_MS = 5000;

/**
 * Whether the process at the other end of a connection belongs to a run, whatever it says about itself. Null if this
 * machine cannot tell: without Linux or without Perl. A process that cannot be identified is refused, not trusted: a
 * worker could connect and leave the connection to another process before it ends.
 */
export async function isPeerInsideRun(socket: Socket): Promise<boolean | null> {
  if (process.platform !== "linux" || !existsSync(PERL)) return null;
  // A connection that is already closed cannot be handed to a process.
  const pid = await readPeerPid(socket).catch(() => undefined);
  // Zero stands for a process of another container. All processes that we start are in our own namespace or below it.
  if (pid === 0) return false;
  return pid === undefined || readIdentity(pid) === undefined || isInsideRun(pid);
}

async function readPeerPid(socket: Socket): Promise<number | undefined> {
  const child = spawn(PERL, ["-e", SCRIPT], {
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "ignore", socket],
    timeout: MAX_ANSWER_MS,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  // Node stops reading from a stream that it hands to a process.
  socket.resume();
  const chunks: Buffer[] = [];
  // A process that could not be started for want of descriptors has no streams.
  child.stdout?.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const code = await ended;
  const text = Buffer.concat(chunks).toString("latin1");
  return code === 0 && /^\d+$/u.test(text) ? Number(text) : undefined;
}
