/** Where two scopes meet: also asked before anything is queued, when a story is about to be divided. */
export { findOverlap } from "./choosing/scope-overlap.ts";
