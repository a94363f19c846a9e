import type { Surface } from "../../contract/approval.ts";
import type { SupervisorClient } from "../../supervisor/client.ts";
import type { TrustCheck } from "../../trust/check-trust.ts";
import type { StoryFollower } from "./story-follower.ts";

/** Where a use case works and how it reaches the person who asked. Every surface makes one. */
export interface AppContext {
  /** Absolute; somewhere inside the project. */
  readonly directory: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string | undefined;
  /** `--config`: a settings file to use instead of the project's own. */
  readonly configFile: string | undefined;
  /** The words that start Ambit as another process, such as the supervisor. */
  readonly program: readonly string[];
  /** Connects to an engine in this process; where absent, use cases connect to the project's supervisor process. */
  readonly supervisor?: () => SupervisorClient;
  /** Where the person asks from; the command line when absent. */
  readonly surface?: Surface;
  /** Asks whether the project may run what it names; undefined where no person can be asked. */
  readonly askTrust?: (check: TrustCheck) => Promise<boolean | undefined>;
  /** Whether that was decided; set for use cases that run something of the project. */
  readonly isProjectTrusted?: boolean;
  /** Reports how far a long use case is; nothing that belongs to the answer. */
  readonly progress: (text: string) => void;
  /** Tells the person something although the request succeeds. */
  readonly warn: (text: string) => void;
  /** Aborted when the person interrupts a use case that runs for long. */
  readonly abort?: AbortSignal;
  /** Whether a person is there to answer a question of a story; where absent, one may come. */
  readonly canAnswer?: () => boolean;
  /** Called before a use case follows a story; without it, the use case only waits for the end. */
  readonly followStory?: (story: string) => Promise<StoryFollower>;
}
