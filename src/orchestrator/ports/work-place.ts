import type { Forwarding, Service } from "../../containment/forward-services.ts";
import type { Isolation } from "../../routing/choose-isolation.ts";
import type { PlacedCommand as CheckCommand } from "../../verification/run-checks.ts";

/** Services keep their own ports; hosts are reached through a proxy that programs find in their variables. */
export interface Reach {
  readonly services: readonly Service[];
  /** Absent for an agent whose provider is unknown; the proxy still notes the hosts that it asks for. */
  readonly hosts?: readonly Service[] | undefined;
  /** The proxy also leads to every host except this machine. */
  readonly isOpen?: boolean | undefined;
}

export interface PlaceOptions {
  readonly network: boolean;
  readonly readable: readonly string[];
  /** Programs that the command starts, by their files; a sandbox shows the files that they need. */
  readonly programs?: readonly string[];
  /**
   * The addresses that a worker with its own network can reach; undefined for a worker in the network of the machine.
   */
  readonly reach?: Reach | undefined;
  /** The open way there, for a command that shares it with others. */
  readonly forwarding?: Forwarding | undefined;
  /** Entries of the state folder that belong to the command; a sandbox has a folder of its own for them. */
  readonly own?: readonly string[];
}

/** A command ready to start in a workspace: with or without a sandbox around it. */
export interface PlacedCommand extends CheckCommand {
  /** Open for this command alone: the caller that starts it closes it. */
  readonly forwarding?: Forwarding;
}

export interface KeptWork {
  /** The commit that the work is compared with. */
  readonly base: string;
  readonly tip: string;
  readonly filesChanged: readonly string[];
  /** Notes about the import for the journal. */
  readonly notes?: readonly string[];
}

/** One worker's workspace: a linked worktree, or a private clone inside a sandbox. The stages need not know which. */
export interface WorkPlace {
  readonly isolation: Isolation;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly tookMs: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The folders that hold files written there; shared files below a layer are not in them. */
  readonly writable: readonly string[];
  /** A folder that the worker can write and in which its return is looked for, if it cannot reach the log folder. */
  readonly outbox: string | undefined;
  /**
   * Rewrites the paths of our own files in a text to the places where the worker finds them; absent if they do not
   * differ.
   */
  readonly translate?: (text: string) => string;
  readonly placeCommand: (command: PlacedCommand, options: PlaceOptions) => Promise<PlacedCommand>;
  /** `isOver` says that the worker has ended, so that some of it may be done while the caller goes on. */
  readonly keepWork: (message: string, isOver?: boolean) => Promise<KeptWork>;
  /** Brings the files to a newer commit, on which the work continues. All of the work must have been kept. */
  readonly advance: (commit: string) => Promise<void>;
  /** Brings the files to a tree that has no commit yet. */
  readonly showMerge: (parents: readonly string[], tree: string) => Promise<void>;
  /**
   * Frees the place once its work is kept; false if that could not be proven. The branch is removed when it is not
   * needed.
   */
  readonly release: (keepBranch: boolean) => Promise<boolean>;
}

export interface PlaceRequest {
  readonly id: string;
  readonly story: string;
  readonly base: string;
  readonly isolation: Isolation;
  /** Whether it is one of many, and worth a checkout that the pool keeps ready. */
  readonly pooled: boolean;
  /**
   * Set if the base contains work of sandboxed workers: then `workspace.setup` runs in a sandbox, too, with the network
   * only if the story has it.
   */
  readonly sandboxSetUp?: { readonly network: boolean } | undefined;
}
