/** The kind of a delegation, for readers of the journal. */
export { isLedWithoutAgent, isOutside, OUTSIDE_ADAPTER, workflowOf } from "./delegation/kind.ts";
export { nameOutside } from "./external-manager/rules.ts";
