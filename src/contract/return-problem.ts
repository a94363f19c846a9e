/** One reason why a return is not accepted, or a warning about one that is. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

export type Fields = object;

/** Own properties only: `{"__proto__": …}` and inherited names never count as fields. */
export function ownField(fields: Fields, name: string): unknown {
  return Object.getOwnPropertyDescriptor(fields, name)?.value;
}

export function missingField(name: string): Problem {
  return { code: `MISSING_FIELD:${name}`, message: `Missing required field: ${name}` };
}

export function invalidField(name: string, reason: string): Problem {
  return { code: `INVALID_FIELD:${name}`, message: `Invalid field ${name}: ${reason}` };
}
