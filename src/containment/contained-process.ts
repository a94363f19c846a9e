export {
  type AnnouncedRun,
  type ContainedProcess,
  type ContainmentEvent,
  type ContainmentLimits,
  type ContainmentTier,
  containmentTiers,
  type ExitFacts,
  type ExitReason,
  exitReasonCodes,
  type LaunchSpec,
  type ProcessRecord,
  type ResourceLimit,
} from "./launcher/contained-process.ts";
