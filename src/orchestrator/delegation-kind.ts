/** The kind of a delegation, for readers of the journal. */
export {
  isLedWithoutAgent,
  isExternalManager,
  OUTSIDE_ADAPTER,
  readWorkflowFacts,
} from "./delegation/kind.ts";
export { nameExternalManager } from "./external-manager/rules.ts";
