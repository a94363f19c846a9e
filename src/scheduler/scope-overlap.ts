/** Where two scopes overlap; also used before anything is queued, when a story is about to be divided. */
export { findOverlap } from "./choosing/scope-overlap.ts";
