export { delegationStatus, type DelegationStatus } from "./model/delegation-status.ts";
