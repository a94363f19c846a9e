export { readEvents } from "./project/journal-events.ts";
