import * as z from "zod";
import { storyInput } from "../run/story-input.ts";

/** The fields of a story that a page can set; all others keep their defaults. */
export const draftSchema = () =>
  storyInput()
    .pick({ title: true, agent: true, checks: true, budgetUsd: true, timeoutSeconds: true })
    .extend({ criteria: z.array(z.string().trim().min(1).max(2000)).max(100).optional() });
