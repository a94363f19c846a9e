import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { pathExists } from "../../base/files.ts";
import { runCommand } from "../../base/run-command.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { chooseScratchFolder } from "../files/scratch-folder.ts";
import { mountTogether } from "./mount-batch.ts";

export interface OverlayRequest {
  readonly searchPath: string;
  /** The first one is on top. They are never written, and must not change while mounted. */
  readonly lower: readonly string[];
  /** Receives every change. */
  readonly upper: string;
  readonly work: string;
  readonly target: string;
  /** Nothing in it matters after a crash of the machine, so unmounting does not wait for the disk. */
  readonly isThrowaway?: boolean;
}

const MOUNT_TIMEOUT_MS = 30_000;
/** The answer differs per file system, because not every one can hold the changes of a layer. */
const canMount = new Map<number, Promise<boolean>>();

/** Whether this process may mount overlays: on Linux, as root, if the kernel and the container allow it. */
export function canMountOverlay(searchPath: string, stateDirectory: string): Promise<boolean> {
  const { dev } = statSync(stateDirectory);
  const answer = canMount.get(dev) ?? tryTestMount(searchPath, chooseScratchFolder(stateDirectory));
  canMount.set(dev, answer);
  return answer;
}

export async function mountOverlay(request: OverlayRequest): Promise<void> {
  const { lower, upper, work, target } = request;
  for (const folder of [upper, work, target]) if (!pathExists(folder)) mkdirSync(folder, { recursive: true });
  // Without redirects, renaming a folder of the lower layers fails, which programs interpret as a full disk. The
  // other options would tie the changes to one state of the lower layers.
  // Inodes of an image then differ from those of the upper folder, as programs expect within one file system.
  const inodes = lower.some(isInOtherFileSystem(upper)) ? "xino=on," : "";
  const options = `${inodes}redirect_dir=on,index=off,metacopy=off,lowerdir=${lower.join(":")},upperdir=${upper},workdir=${work}`;
  const { searchPath } = request;
  // Unmounting any other layer writes everything to the disk that waits in memory, from any program. Older kernels do not
  // know the word.
  if (
    request.isThrowaway === true &&
    (await mountTogether({ searchPath, options: `volatile,${options}`, target }))
  )
    return;
  if (await mountTogether({ searchPath, options, target })) return;
  // It runs once more on its own, for its error output.
  await runMountCommand(searchPath, ["mount", "-t", "overlay", "overlay", "-o", options, target]);
}

/** Whether a folder is not in the file system of this one. */
function isInOtherFileSystem(folder: string): (path: string) => boolean {
  const { dev } = statSync(folder);
  return (path) => (statSync(path, { throwIfNoEntry: false })?.dev ?? dev) !== dev;
}

/** Mounts an image in the format EROFS. The kernel never writes to such a file system. */
export async function mountImage(searchPath: string, image: string, target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  await runMountCommand(searchPath, ["mount", "-t", "erofs", "-o", "ro,nosuid,nodev", image, target]);
}

/** The kernel treats these characters as separators. */
export function canHoldLayer(path: string): boolean {
  return !/[\\:,]/.test(path);
}

/** Unmounts everything at or below some folders, even while a dying process still uses it. */
export async function unmountBelow(searchPath: string, ...folders: readonly string[]): Promise<void> {
  // The last mount goes first.
  const mounted = (): readonly string[] => folders.flatMap((folder) => listMounts(folder).toReversed());
  const targets = mounted();
  if (targets.length === 0) return;
  await runMountCommand(searchPath, ["umount", "-l", ...targets]).catch((error: unknown) => {
    // Another process may have been faster.
    if (mounted().length > 0) throw error;
  });
}

/**
 * Whether another file system begins at the folder. This is called at every step, and is faster than reading the list
 * of all mounts.
 */
export function isMountPoint(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && stats.dev !== statSync(dirname(folder)).dev;
}

/** Lists mounts at or below a folder, in the order they were made. */
export function listMounts(folder: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => unescapeMount(line.split(" ")[4] ?? ""))
    .filter((target) => target === folder || target.startsWith(`${folder}${sep}`));
}

async function tryTestMount(searchPath: string, folder: string): Promise<boolean> {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !canHoldLayer(folder)) return false;
  const lower = join(folder, "lower");
  const target = join(folder, "target");
  try {
    mkdirSync(lower, { recursive: true });
    await mountOverlay({
      searchPath,
      lower: [lower],
      upper: join(folder, "upper"),
      work: join(folder, "work"),
      target,
      isThrowaway: true,
    });
    return true;
  } catch {
    // The mount was refused: the container lacks the permission, or the file system is unknown.
    return false;
  } finally {
    await unmountBelow(searchPath, folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runMountCommand(searchPath: string, argv: readonly string[]): Promise<void> {
  const outcome = await runCommand({
    argv,
    cwd: "/",
    environment: { PATH: searchPath, LC_ALL: "C" },
    timeoutMs: MOUNT_TIMEOUT_MS,
  });
  if (outcome.exitCode === 0) return;
  throw workspaceErrors.mountFailed(argv.join(" "), outcome.stderr.toString("utf8").trim());
}

/** `\040` is a space, and so on. */
function unescapeMount(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
