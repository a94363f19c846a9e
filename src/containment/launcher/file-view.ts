import { existsSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { Cover, ShownProject } from "./contained-process.ts";

const HOSTS_FILE = "/etc/hosts";

export interface FileView {
  readonly cover?: Cover | undefined;
  readonly shown?: ShownProject | undefined;
}

/**
 * The arguments of bubblewrap for a view of files in which the workspace is at the project's own path and our state is
 * hidden.
 */
export function buildFileView({ cover, shown }: FileView): readonly string[] {
  return [
    ...(shown?.git === undefined ? [] : ["--bind", shown.git.folder, shown.git.at]),
    ...(cover === undefined ? [] : buildCover(cover, shown)),
    ...(shown === undefined ? [] : showProject(shown)),
  ];
}

/** Shows a file as the machine's file of host names, which may be a link. */
export function buildHostsMount(file: string): readonly string[] {
  return ["--ro-bind", file, existsSync(HOSTS_FILE) ? realpathSync(HOSTS_FILE) : HOSTS_FILE];
}

/** The path inside the view for a path of this machine. */
export function findInView(path: string, shown: ShownProject | undefined): string {
  if (shown === undefined) return path;
  const { folder, at, git } = shown;
  return movePath(path, folder, at) ?? (git && movePath(path, git.folder, git.at)) ?? path;
}

function movePath(path: string, from: string, to: string): string | undefined {
  if (path === from) return to;
  return path.startsWith(from + sep) ? to + path.slice(from.length) : undefined;
}

/** The cover takes no space on the disk: bubblewrap makes the entries of an empty folder in memory. */
export function buildCover(
  { folder, mark, writable, readable, files, others = [] }: Cover,
  shown?: ShownProject,
): readonly string[] {
  const place = (path: string): string => findInView(path, shown);
  return [
    "--tmpfs",
    place(folder),
    "--dir",
    join(place(folder), mark),
    ...writable.flatMap((path) => ["--bind-try", path, place(path)]),
    ...readable.flatMap((path) => ["--ro-bind-try", path, place(path)]),
    "--remount-ro",
    place(folder),
    ...files.flatMap((path) => ["--ro-bind-try", "/dev/null", place(path)]),
    ...others.flatMap((other) => [
      "--tmpfs",
      place(other.folder),
      ...other.writable.flatMap((path) => ["--bind-try", path, place(path)]),
      "--remount-ro",
      place(other.folder),
    ]),
  ];
}

/** The pointer replaces `.git` in both places, because the one in the workspace names a folder that is hidden inside. */
function showProject({ folder, at, git }: ShownProject): readonly string[] {
  const pointer = git?.pointer;
  return [
    "--bind",
    folder,
    at,
    ...(pointer === undefined
      ? []
      : [join(at, ".git"), join(folder, ".git")].flatMap((place) => ["--ro-bind", pointer, place])),
  ];
}
