import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";

/** A runtime that kills itself right after one event was stored, before anything that would follow from it. */
interface Doom {
  readonly options: {
    readonly projectRoot: string;
    readonly version: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly workerProgram: readonly string[];
    readonly program: readonly string[];
  };
  readonly story: unknown;
  readonly type: string;
  readonly delegation: string;
}

const doom: Doom = JSON.parse(process.argv[2] ?? "{}");
const runtime = await openProjectRuntime({
  ...doom.options,
  onQuiet: () => undefined,
  onShutdown: () => undefined,
  onEvent: ({ type, delegation }) => {
    if (type === doom.type && delegation === doom.delegation) process.kill(process.pid, "SIGKILL");
  },
});
if (doom.story !== null) await runtime.engine.openStory(doom.story);
