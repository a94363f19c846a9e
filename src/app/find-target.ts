export { findTarget, type Target } from "./project/find-target.ts";
