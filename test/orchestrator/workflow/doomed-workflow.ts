import { openWorkflow } from "../../../src/orchestrator/open-workflow.ts";
import { openDoomed, readDoom } from "../open-doomed.ts";

/** A runtime that runs a workflow command. */
const { engine } = await openDoomed(readDoom());
const { story } = await openWorkflow(engine.tools, { command: "plan", task: "5" });
engine.consider(story);
await engine.whenEnded(story);
