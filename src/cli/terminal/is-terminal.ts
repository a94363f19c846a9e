import { fstatSync, statSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * Whether a descriptor is a terminal. The file system is asked first: the module that knows terminals, and even more a
 * standard stream, takes a noticeable part of a short command.
 */
export function isTerminal(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isCharacterDevice() && !isNullDevice(stat.rdev) && isatty(descriptor);
  } catch {
    // A descriptor that was never opened is not a terminal.
    return false;
  }
}

/** Whether it is /dev/null, which scripts and agents give a command as its input. */
function isNullDevice(device: number): boolean {
  return statSync("/dev/null", { throwIfNoEntry: false })?.rdev === device;
}
