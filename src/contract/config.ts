import * as z from "zod";
import { accessControlSchema } from "./access-control.ts";
import { clusterSchema } from "./cluster-config.ts";
import { usdSchema } from "./config-usd.ts";
import { delegationSchema } from "./delegation-config.ts";
import { mcpServersSchema, passedNameSchema, variablesSchema } from "./environment-variables.ts";
import { hardCaps } from "./limits.ts";
import { addressSchema, MAX_SERVICES, serviceSchema } from "./services.ts";

const count = z.int().min(0);
const positive = z.int().min(1);
const command = z.string().trim().min(1);
const ignoredPattern = z
  .string()
  .max(500)
  .refine((text) => /^[^\p{Cc}]*[^\s!#][^\p{Cc}]*$/u.test(text), "must be a pattern such as .env or dist/");
const depth = count.max(hardCaps.maxDepth);

/** `ambit.yaml`. Every key is optional; parsing `{}` gives all defaults. Unknown keys are refused. */
export const configSchema = z.strictObject({
  version: z.literal(1).default(1).describe("Version of this file's format"),
  delegation: delegationSchema.prefault({}),
  tasks: z
    .strictObject({
      dir: z
        .string()
        .refine(staysInside, "must be a folder inside the project")
        .default("specs")
        .describe("Folder of the task store, relative to the project"),
      commit: z
        .boolean()
        .default(false)
        .describe(
          "Commit task files and documents on your branch after a workflow command, and nothing else",
        ),
    })
    .prefault({}),
  workspace: z
    .strictObject({
      isolation: z.enum(["worktree", "sandbox"]).default("worktree").describe("How a worker is kept apart"),
      network: z
        .boolean()
        .nullable()
        .default(null)
        .describe(
          "Whether workers and checks that are kept apart may use the network of the machine; null: as the story says",
        ),
      services: z
        .array(serviceSchema)
        .max(MAX_SERVICES)
        .nullable()
        .default(null)
        .describe(
          "Gives workers and checks networks of their own, which of this machine reach only these: 5432, redis:6379; null: that of the machine",
        ),
      pool: count
        .max(hardCaps.maxConcurrent)
        .default(3)
        .describe(
          "Checkouts kept ready for workers; each costs one full tree on disk, or a mount where those can be made",
        ),
      dir: command
        .nullable()
        .default(null)
        .describe("Folder for workspaces; by default `<project>.worktrees` next to the project"),
      ownPath: z
        .boolean()
        .default(true)
        .describe(
          "Show each workspace at the project's own path to what runs in it, where bubblewrap is installed",
        ),
      include: z
        .array(ignoredPattern)
        .default([])
        .describe(
          "Files that git ignores and workspaces need, such as .env or dist/; patterns as in .gitignore",
        ),
      setup: command.nullable().default(null).describe("Command that makes a new workspace ready"),
      env: z
        .strictObject({
          pass: z
            .array(passedNameSchema)
            .default([])
            .describe("Variables of your shell that workers, setup and checks get, such as AWS_*"),
          set: variablesSchema
            .default({})
            .describe("Variables that workers, setup and checks get with these values"),
        })
        .prefault({}),
    })
    .prefault({}),
  verification: z
    .strictObject({
      test: command.nullable().default(null).describe("Command behind criteria such as `all tests pass`"),
      timeoutSeconds: positive
        .max(hardCaps.timeoutSeconds)
        .default(600)
        .describe("How long one check may take; all checks of a story together have the story's own time"),
      retries: count
        .max(5)
        .default(1)
        .describe("How often a failed check is repeated; one that then passes is shown as flaky and counts"),
      exclusive: z
        .boolean()
        .default(false)
        .describe(
          "Run checks one at a time over all stories, for tests that need a fixed port or a shared database",
        ),
      base: z
        .boolean()
        .default(true)
        .describe(
          "Run each check of a story once on the tree it starts from, to tell what red and green mean",
        ),
      reviewer: command
        .nullable()
        .default(null)
        .describe("Agent that judges criteria which no command can check; without one a person is asked"),
      artifactTypes: z
        .array(command)
        .default([])
        .describe("Artifact types accepted in addition to the known ones"),
    })
    .prefault({}),
  agents: z
    .strictObject({
      default: command.nullable().default(null).describe("Agent used where nothing else names one"),
      fallback: command
        .nullable()
        .default(null)
        .describe(
          "Agent that takes the place of a silent or late one; without it a fresh one of the same agent",
        ),
      metering: z
        .enum(["auto", "none", "proxy"])
        .default("auto")
        .describe(
          "A proxy on this machine that counts requests with API keys; auto: where the agent does not report enough",
        ),
      addresses: z
        .array(addressSchema)
        .max(MAX_SERVICES)
        .default([])
        .describe(
          "Hosts that agents in a sandbox reach besides their known provider, such as llm.example.org or *.example.org:8443",
        ),
      unmetered: z
        .enum(["refuse", "allow"])
        .default("refuse")
        .describe("Whether an agent may work for a budget that Ambit cannot hold for it"),
      environment: z
        .array(passedNameSchema)
        .default([])
        .describe("Variables of your shell that agents get, and checks do not, such as a provider's key"),
      mcp: mcpServersSchema
        .default({})
        .describe(
          "MCP servers whose tools agents may call with [use-mcp:server/tool:arguments]: name and command",
        ),
    })
    .prefault({}),
  cluster: clusterSchema.prefault({}),
  templates: z
    .strictObject({
      index: command
        .nullable()
        .default(null)
        .describe("Git repository or folder in which templates are searched and published"),
    })
    .prefault({}),
  terminal: z
    .strictObject({
      notify: z
        .enum(["desktop", "bell", "off"])
        .default("desktop")
        .describe(
          "How a live tree tells that something waits for you: notification and bell, bell alone, not",
        ),
    })
    .prefault({}),
  notify: z
    .strictObject({
      command: command
        .nullable()
        .default(null)
        .describe(
          "Command that the supervisor runs when something is asked, stalled, near its budget or ended; it gets JSON on its input",
        ),
    })
    .prefault({}),
  delegation_access_control: accessControlSchema.optional().describe("Same as delegation.accessControl"),
});

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Item[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

export type ConfigValues = Frozen<z.output<typeof configSchema>>;

/** A story's own limits; it may raise them, never above the hard caps. */
export const storyDelegationConfigSchema = z.strictObject({
  enabled: z.boolean().optional(),
  maxDelegations: count.max(hardCaps.maxDelegations).optional(),
  /** Workers that the story itself may have. */
  maxWorkers: count.max(hardCaps.maxDelegations).optional(),
  maxDepth: depth.optional(),
  parallel: z.boolean().optional(),
  maxConcurrent: positive.max(hardCaps.maxConcurrent).optional(),
  timeoutSeconds: positive.max(hardCaps.timeoutSeconds).optional(),
  budgetUsd: usdSchema.optional(),
  maxContextPerAgent: positive.optional(),
});

export type StoryDelegationConfig = Frozen<z.output<typeof storyDelegationConfigSchema>>;

/** Flags on the command line for one story; stronger than the environment. */
export const storyFlagsSchema = storyDelegationConfigSchema.pick({
  enabled: true,
  maxDepth: true,
  maxDelegations: true,
  maxConcurrent: true,
});

export type StoryFlags = Frozen<z.output<typeof storyFlagsSchema>>;

/** The folder comes from a file that anyone may commit, so it must not lead out of the project or into `.git`. */
function staysInside(folder: string): boolean {
  const segments = folder.split("/");
  const leads = segments.some((segment) => segment === ".." || segment.toLowerCase() === ".git");
  return folder.trim() !== "" && !folder.startsWith("/") && !leads && !/[\\\0]/.test(folder);
}
