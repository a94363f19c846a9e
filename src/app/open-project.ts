export { findProject, nothingYet, openWorkspaces, readStore } from "./project/open-project.ts";
