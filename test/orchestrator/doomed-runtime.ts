import { openDoomed, readDoom } from "./open-doomed.ts";

/** A runtime that runs one story, or only what it finds. */
const doom = readDoom();
const { engine } = await openDoomed(doom);
if (doom.story !== null) await engine.openStory(doom.story);
