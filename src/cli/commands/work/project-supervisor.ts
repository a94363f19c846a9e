export {
  findSupervisor as runningSupervisor,
  startSupervisor as startedSupervisor,
} from "../../../app/connect-supervisor.ts";
