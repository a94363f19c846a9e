import type * as z from "zod";

/** The types of one call: what the client sends, what the handler reads after defaults are applied, the answer. */
export interface CallTypes {
  readonly sent: unknown;
  readonly read: unknown;
  readonly answer: unknown;
}

interface CallSchemas {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** The types of a table of schemas, by the name of the call. */
export type ReadTypes<Schemas extends Readonly<Record<string, CallSchemas>>> = {
  readonly [Name in keyof Schemas]: {
    readonly sent: z.input<Schemas[Name]["input"]>;
    readonly read: z.output<Schemas[Name]["input"]>;
    readonly answer: z.output<Schemas[Name]["output"]>;
  };
};

/** The same schemas, indexed so that the compiler can follow one name from input to answer. */
export type CallTable<Types extends Readonly<Record<keyof Types, CallTypes>>> = {
  readonly [Name in keyof Types]: {
    readonly input: z.ZodType<Types[Name]["read"], Types[Name]["sent"]>;
    readonly output: z.ZodType<Types[Name]["answer"]>;
  };
};
