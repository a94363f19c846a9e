export { pickStoryTools } from "./delegation/story-tools.ts";
export type { StoryCaller } from "./ports/story-origins.ts";
