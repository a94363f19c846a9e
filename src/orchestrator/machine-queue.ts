/** The queue in which a machine of a cluster finds the offers for itself alone. */
export { nameMachineQueue } from "./machines/choose-offers.ts";
