import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { hasErrorCode, readRegularText, pathExists } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";

const PORTS_PER_WORKSPACE = 10;
/** The first port is below the range from which systems assign ports themselves. */
const FIRST_PORT = 21_000;
const BLOCKS = 1000;

/**
 * Gives a checkout ten consecutive ports that no other one has and that no program listens on now. Claims are files,
 * so they hold across processes and restarts; the claim of a removed checkout is free again.
 */
export async function claimPortBlock(claimsDirectory: string, owner: string): Promise<number> {
  mkdirSync(claimsDirectory, { recursive: true, mode: 0o700 });
  const portBase = await claimFreeBlock(claimsDirectory, owner);
  if (portBase !== undefined) return portBase;
  removeStaleClaim(claimsDirectory);
  const second = await claimFreeBlock(claimsDirectory, owner);
  if (second !== undefined) return second;
  throw workspaceErrors.noFreePorts(BLOCKS, claimsDirectory);
}

async function claimFreeBlock(claimsDirectory: string, owner: string): Promise<number | undefined> {
  const start = createHash("sha256").update(owner).digest().readUInt32BE(0);
  for (let step = 0; step < BLOCKS; step += 1) {
    const portBase = FIRST_PORT + ((start + step) % BLOCKS) * PORTS_PER_WORKSPACE;
    const file = join(claimsDirectory, String(portBase));
    if (tryClaimBlock(file, owner)) {
      if (await arePortsFree(portBase)) return portBase;
      rmSync(file, { force: true });
    }
  }
  return undefined;
}

/** If several processes try at once, one creates the file. */
function tryClaimBlock(file: string, owner: string): boolean {
  try {
    writeFileSync(file, `${owner}\n`, { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false;
    throw error;
  }
}

function removeStaleClaim(claimsDirectory: string): void {
  for (const claim of listPortClaims(claimsDirectory))
    if (!isClaimHeld(claim)) rmSync(join(claimsDirectory, String(claim.portBase)), { force: true });
}

export function releasePorts(claimsDirectory: string, owner: string): void {
  for (const claim of listPortClaims(claimsDirectory))
    if (claim.owner === owner) rmSync(join(claimsDirectory, String(claim.portBase)), { force: true });
}

export interface PortClaim {
  readonly portBase: number;
  /** The folder it was claimed for. */
  readonly owner: string;
}

export function listPortClaims(claimsDirectory: string): readonly PortClaim[] {
  if (!pathExists(claimsDirectory)) return [];
  return readdirSync(claimsDirectory)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      portBase: Number(name),
      owner: readRegularText(join(claimsDirectory, name))?.trimEnd() ?? "",
    }));
}

/** An empty file is being written by another process at this moment. */
function isClaimHeld({ owner }: PortClaim): boolean {
  return owner === "" || pathExists(owner);
}

async function arePortsFree(portBase: number): Promise<boolean> {
  const ports = Array.from({ length: PORTS_PER_WORKSPACE }, (_, index) => portBase + index);
  const answers = await Promise.all(ports.map(isPortFree));
  return answers.every(Boolean);
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
