import * as z from "zod";

/** The access of each depth as the trust model states it; a delegation's own file scope is what is enforced. */
export const fileAccessByDepth = [
  "unrestricted",
  "fileScope only",
  "strict fileScope",
  "strict fileScope",
] as const;

const fileAccess = z
  .enum(["unrestricted", "fileScope only", "strict fileScope"])
  .optional()
  .describe("Accepted, but only a delegation's own file scope is enforced");

const depthRules = z.strictObject({
  file_access: fileAccess,
  can_delegate: z.boolean().optional().describe("false is the same as max_delegations 0"),
  max_delegations: z.int().min(0).optional().describe("Workers each agent at this depth may have"),
});

/** Delegation is impossible at the depth of the hard cap, so a table may only say so. */
const deepestRules = depthRules.extend({ max_delegations: z.int().min(0).max(0).optional() });

/** Rules per depth. The depth limit decides which agents may delegate; this table gives fan-out limits. */
export const accessControlSchema = z.strictObject({
  depth_0: depthRules.optional(),
  depth_1: depthRules.optional(),
  depth_2: depthRules.optional(),
  depth_3: deepestRules.optional(),
});
