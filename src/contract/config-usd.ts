import * as z from "zod";

const MICRO = 1_000_000;
/** Above it a number cannot represent every micro-dollar. */
export const MAX_USD = 1_000_000_000;

/** Dollars as people write them: at most six decimal places, so that they are whole micro-dollars. */
export const usdSchema = z
  .number()
  .min(0)
  .max(MAX_USD)
  .refine((dollars) => toMicroUsd(dollars) / MICRO === dollars, "must have at most 6 decimal places");

/** Exact for every amount `usdSchema` accepts: the error of the product stays below half a micro-dollar. */
export function toMicroUsd(dollars: number): number {
  return Math.round(dollars * MICRO);
}
