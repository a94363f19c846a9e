/** A name, or the beginning of several names (`AWS_*`), that may be passed on. */
export function isVariablePattern(text: string): boolean {
  return isVariableName(text.endsWith("*") ? text.slice(0, -1) : text);
}

/** `AMBIT_*` is ours to set. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !name.startsWith("AMBIT_");
}
