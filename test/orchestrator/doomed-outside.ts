import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { workerCalls } from "../../src/orchestrator/worker-calls.ts";

/** A runtime with a manager from outside, which kills itself right after one event was stored. */
interface Doom {
  readonly options: {
    readonly projectRoot: string;
    readonly version: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly workerProgram: readonly string[];
    readonly program: readonly string[];
  };
  readonly story: string;
  readonly type: string;
  readonly delegation: string;
}

const doom: Doom = JSON.parse(process.argv[2] ?? "{}");
const { story } = doom;
const { engine } = await openProjectRuntime({
  ...doom.options,
  onQuiet: () => undefined,
  onShutdown: () => undefined,
  onEvent: ({ type, delegation }) => {
    if (type === doom.type && delegation === doom.delegation) process.kill(process.pid, "SIGKILL");
  },
});
const token = await engine.externalManagers.open(story, () =>
  engine.openStory({ id: story, title: "Doomed", adapter: "outside", agent: "outside:test" }),
);
const tasks = [{ description: "Part", agent: "helper" }];
await workerCalls.delegate(engine, { token, tasks, waitSeconds: 50 });
await workerCalls.submit_return(engine, { token, status: "completed", summary: "Done.", artifacts: [] });
