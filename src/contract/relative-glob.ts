/** Whether a pattern can match a file of the project; one that leaves it never does. */
export function isRelativeGlob(glob: string): boolean {
  return !glob.startsWith("/") && !glob.split("/").includes("..");
}

export const relativeGlobRule = "must be relative to the project, without '..'";
