/** Where a machine of a cluster finds the offers that are for it alone. */
export { nameMachineQueue } from "./machines/choose-offers.ts";
