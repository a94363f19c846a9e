/** A plain copy: loose schemas accept it, while they refuse an interface, which has no index signature. */
export function copyFields<Value extends object>(value: Value): { [Key in keyof Value]: Value[Key] } {
  return { ...value };
}
