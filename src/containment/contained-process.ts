export {
  type AnnouncedRun,
  type ContainedProcess,
  type ContainmentEvent,
  type ContainmentLimits,
  type ContainmentTier,
  containmentTiers,
  type Cover,
  type ExitFacts,
  type ExitReason,
  exitReasonCodes,
  type HiddenFolder,
  type LaunchSpec,
  type OwnNetwork,
  type ProcessRecord,
  type ResourceLimit,
  type ShownProject,
} from "./launcher/contained-process.ts";
export { findInView } from "./launcher/file-view.ts";
