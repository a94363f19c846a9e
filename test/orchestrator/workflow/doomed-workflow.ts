import { openWorkflow } from "../../../src/orchestrator/pipeline.ts";
import { openProjectRuntime } from "../../../src/supervisor/project-runtime.ts";

/** A runtime that runs a workflow command and kills itself right after one event was stored. */
interface Doom {
  readonly options: {
    readonly projectRoot: string;
    readonly version: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly workerProgram: readonly string[];
    readonly program: readonly string[];
  };
  readonly type: string;
  readonly delegation: string | null;
}

const doom: Doom = JSON.parse(process.argv[2] ?? "{}");
const { engine } = await openProjectRuntime({
  ...doom.options,
  onQuiet: () => undefined,
  onShutdown: () => undefined,
  onEvent: ({ type, delegation }) => {
    if (type === doom.type && delegation === doom.delegation) process.kill(process.pid, "SIGKILL");
  },
});
const { story } = await openWorkflow(engine.tools, { command: "plan", task: "5" });
engine.consider(story);
await engine.whenEnded(story);
