import { workerCalls } from "../../src/orchestrator/worker-calls.ts";
import { openDoomed, readDoom } from "./open-doomed.ts";

/** A runtime with a manager from outside. */
const doom = readDoom();
const story = String(doom.story);
const { engine } = await openDoomed(doom);
const token = await engine.externalManagers.open(story, () =>
  engine.openStory({ id: story, title: "Doomed", adapter: "outside", agent: "outside:test" }),
);
const tasks = [{ description: "Part", agent: "helper" }];
await workerCalls.delegate(engine, { token, tasks, waitSeconds: 50 });
await workerCalls.submit_return(engine, { token, status: "completed", summary: "Done.", artifacts: [] });
