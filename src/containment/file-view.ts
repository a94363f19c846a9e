export { findInView } from "./launcher/file-view.ts";
