export type { StoryCaller } from "./ports/story-origins.ts";
