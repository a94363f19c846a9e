/**
 * The protocol between the machines of a cluster. Raise it when a coordinator's work can no longer be done by a machine of the
 * version before. A machine works for coordinators of its own and of earlier versions.
 */
export const MACHINE_PROTOCOL = 1;

/** Of agents and machines for which none is named. */
export const DEFAULT_POOL = "default";

const PREFIX = "machine ";

/** How the journal names a machine of a cluster that holds an attempt. */
export function nameMachineOwner(name: string, incarnation: string): string {
  return `${PREFIX}${name}/${incarnation}`;
}

/** One start of a machine, as `name/incarnation`; undefined for an attempt that the coordinator runs itself. */
export function readMachineStart(owner: string): string | undefined {
  return owner.startsWith(PREFIX) ? owner.slice(PREFIX.length) : undefined;
}

/** Undefined for an attempt that the coordinator runs itself. */
export function readMachineName(owner: string): string | undefined {
  return owner.startsWith(PREFIX) ? owner.slice(PREFIX.length, owner.lastIndexOf("/")) : undefined;
}

export function isMachineOwner(owner: string): boolean {
  return readMachineName(owner) !== undefined;
}
