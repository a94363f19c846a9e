export { findSupervisor, startSupervisor } from "./project/connect-supervisor.ts";
