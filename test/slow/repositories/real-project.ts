import type { Runner } from "./count-tests.ts";

/** A project that somebody else wrote, in a version that never changes, and how to test it. */
export interface RealProject {
  readonly name: string;
  readonly version: string;
  /** The tools that meet Ambit here, for the table. */
  readonly tools: string;
  readonly from: NpmPackage | DebianSource | LocalFolder;
  /** Whether the tests come with the package, or are written here around it. */
  readonly tests: "shipped" | "own";
  /** Files of our own that are added and committed: tests, settings that the package leaves out. */
  readonly files?: Readonly<Record<string, string>>;
  /** A shell line that makes the checkout ready, as its README would say; its downloads are pinned. */
  readonly install?: string;
  /** Programs that have to be there, beyond Node, git and a shell. */
  readonly needs?: readonly Need[];
  readonly runner: Runner;
  /** The project's own command, and what `ambit run --check` gets. */
  readonly command: string;
  /** A shell line of a worker that breaks the project, so that its tests have to notice. */
  readonly breaks: string;
}

/** A tarball of the npm registry with its integrity. */
export interface NpmPackage {
  readonly npm: string;
  readonly integrity: string;
}

/** The upstream tarball of a Debian source package, by its path below the mirror. */
export interface DebianSource {
  readonly debian: string;
  readonly sha256: string;
}

/** A folder of this machine: a package that our own tests have installed already. */
export interface LocalFolder {
  readonly folder: string;
}

export type Need = "pnpm" | "yarn" | "yarn4" | "gcc" | "go" | "cargo" | "pytest" | "perl";

/** A short name for folders: `zod-4.6.7`. */
export function nameFolder({ name, version, tools }: RealProject): string {
  return `${name}-${version}-${tools}`.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-");
}
