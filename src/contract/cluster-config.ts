import * as z from "zod";

/** The secret would be in git, for everybody who has the repository. */
function holdsPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== "";
}

/** Part of the name of a queue. */
const poolName = z
  .string()
  .regex(/^[A-Za-z0-9][\w-]{0,62}$/, "must be letters, digits, hyphens and underscores");

/** `cluster` in `ambit.yaml`. The address of the database comes from the environment only. */
export const clusterSchema = z.strictObject({
  hub: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine((url) => !url.startsWith("-"), "must be the address of a git repository")
    .refine((url) => !holdsPassword(url), "must not hold a password; git has its own ways to log in")
    .nullable()
    .default(null)
    .describe(
      "Git repository through which machines give each other code; with it, ambit worker runs the work",
    ),
  dispatch: z
    .enum(["postgres", "redis"])
    .default("postgres")
    .describe(
      "The queue that tells machines of new work; for redis, AMBIT_CLUSTER_REDIS_URL holds its address",
    ),
  lease: z
    .int()
    .min(10)
    .max(600)
    .default(30)
    .describe("Seconds that a machine may be silent before its work is given to another one"),
  keepEvery: z
    .int()
    .min(5)
    .max(3600)
    .default(60)
    .describe("Seconds after which a machine pushes the work of an agent that still runs"),
  maxConcurrent: z
    .int()
    .min(1)
    .max(4096)
    .nullable()
    .default(null)
    .describe("Workers on all machines at once; null: delegation.parallel.maxConcurrent"),
  pools: z
    .record(poolName, z.array(z.string().min(1).max(200)).max(100))
    .default({})
    .describe("Agents that only run on machines of a pool (ambit worker --pool), by the name of the pool"),
});
