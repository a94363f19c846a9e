import * as z from "zod";
import { filledText } from "./lenient.ts";

const MAX_VERDICTS = 100;
const MAX_EVIDENCE = 5;
const MAX_TEXT = 1000;

/** The evidence of a reviewer: text that is in a file of the reviewed tree. */
const reviewEvidenceSchema = z.object({
  file: filledText.max(1000).describe("Relative to the project root"),
  quote: filledText.max(MAX_TEXT).describe("Text copied from that file"),
});

/** A reviewer's verdict on one criterion. Only `passed` with evidence that exists counts as met. */
const reviewVerdictSchema = z.object({
  criterion: filledText.max(200).describe("Id of the criterion"),
  verdict: z.enum(["passed", "failed", "unclear"]),
  reason: filledText.max(MAX_TEXT).describe("One or two sentences"),
  evidence: z.array(reviewEvidenceSchema).max(MAX_EVIDENCE).default([]),
});

export const reviewSchema = z.array(reviewVerdictSchema).max(MAX_VERDICTS);

export type ReviewEvidence = z.infer<typeof reviewEvidenceSchema>;
export type ReviewVerdict = z.infer<typeof reviewVerdictSchema>;

/** The subject of a review. */
export const reviewFactsSchema = z.strictObject({
  of: z.string().min(1).max(200).describe("The delegation whose work is reviewed"),
  attempt: z.int().min(0).describe("Its attempt"),
  criteria: z
    .array(z.strictObject({ id: z.string().max(200), text: z.string().max(20_000) }))
    .max(MAX_VERDICTS),
});

export type ReviewFacts = z.infer<typeof reviewFactsSchema>;
