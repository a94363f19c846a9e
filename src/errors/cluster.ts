import { type DelegationError, readErrorMessage } from "../base/delegation-error.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import { makeError } from "./make-error.ts";

/** A project whose journal is in PostgreSQL. No text names more of the address than host, port and database. */
export const clusterErrors = {
  addressInvalid: (reason: string, cause?: unknown): DelegationError =>
    makeError({
      code: "CLUSTER_ADDRESS_INVALID",
      message: `The cluster's address cannot be used: ${reason}.`,
      advice:
        "Set AMBIT_CLUSTER_URL=postgresql://user@host:port/database, or AMBIT_CLUSTER_URL_FILE to a file with it.",
      cause,
    }),
  addressMissing: (): DelegationError =>
    makeError({
      code: "CLUSTER_ADDRESS_INVALID",
      message: "The address of a cluster is needed, and AMBIT_CLUSTER_URL is not set.",
      advice:
        "Set AMBIT_CLUSTER_URL or AMBIT_CLUSTER_URL_FILE. A project that is in a cluster leaves it with ambit cluster export.",
    }),
  unreachable: (place: string, cause: unknown): DelegationError =>
    makeError({
      code: "CLUSTER_UNREACHABLE",
      message: `PostgreSQL at ${place} cannot be reached: ${readErrorMessage(cause)}`,
      advice:
        "Check that it runs and that host, port, database and TLS settings in AMBIT_CLUSTER_URL are right.",
      recoverable: true,
      cause,
    }),
  /** What agents learn of trouble with the journal or the hub: nothing of their addresses. */
  awayForAgents: (cause: unknown): DelegationError =>
    makeError({
      code: "CLUSTER_UNREACHABLE",
      message: "The project's journal cannot be used at the moment.",
      advice: "Go on with what needs no call of ambit, then try again.",
      recoverable: true,
      cause,
    }),
  forbidden: (place: string, cause: unknown): DelegationError =>
    makeError({
      code: "CLUSTER_FORBIDDEN",
      message: `PostgreSQL at ${place} refuses this user: ${readErrorMessage(cause)}`,
      advice:
        "Check the login, and let the owner run: GRANT ambit_worker TO <user>. ambit cluster init needs a user who may create schemas and roles.",
      cause,
    }),
  unsuitable: (place: string, reason: string): DelegationError =>
    makeError({
      code: "CLUSTER_UNSUITABLE",
      message: `PostgreSQL at ${place} cannot hold the journal: ${reason}.`,
      advice: "Use PostgreSQL 13 or newer with UTF-8, connected directly and not through a pooler.",
    }),
  clockOff: (place: string, seconds: number): DelegationError =>
    makeError({
      code: "CLUSTER_UNSUITABLE",
      message: `The clock of this machine and that of PostgreSQL at ${place} differ by ${seconds} s; 30 are allowed.`,
      advice: "Set both clocks, for example with NTP.",
    }),
  tooNew: (place: string, what: string): DelegationError =>
    makeError({
      code: "STORE_TOO_NEW",
      message: `The journal at ${place} was written by a newer version of ambit: ${what}.`,
      advice: "Update ambit on this machine. Nothing was changed.",
    }),
  notSetUp: (place: string): DelegationError =>
    makeError({
      code: "CLUSTER_NO_PROJECT",
      message: `The database at ${place} has no journal of this project, or one of an older version.`,
      advice: "Check the address, then run ambit cluster init in this repository.",
    }),
  runsElsewhere: (name: string): DelegationError =>
    makeError({
      code: "CLUSTER_RUNS_ELSEWHERE",
      message: `The work of this project runs on the machine ${name}; here it can only be looked at.`,
      advice:
        "Run the command there. If that machine is gone for good, ambit cluster init --take brings the work here.",
    }),
  stillCoordinated: (name: string): DelegationError =>
    makeError({
      code: "CLUSTER_RUNS_ELSEWHERE",
      message: `The machine ${name} coordinates this project at the moment; its role is taken only when it is gone.`,
      advice:
        "Run ambit supervisor stop there. If it cannot be reached, repeat this when its lease (cluster.lease) has run out.",
    }),
  hubUnreachable: (place: string, reason: string, cause: unknown): DelegationError =>
    makeError({
      code: "CLUSTER_HUB_UNREACHABLE",
      message: `The hub ${place} cannot be used: ${reason}.`,
      advice:
        "Check cluster.hub in ambit.yaml, and that git can read from it and push to it on this machine.",
      recoverable: true,
      cause,
    }),
  hubOfAnother: (place: string): DelegationError =>
    makeError({
      code: "CLUSTER_HUB_UNREACHABLE",
      message: `The hub ${place} cannot be used: it belongs to a project with another history.`,
      advice: "Give each project a hub of its own, and set cluster.hub in ambit.yaml to it.",
    }),
  hubMissing: (): DelegationError =>
    makeError({
      code: "CLUSTER_HUB_UNREACHABLE",
      message: "Machines give each other code through a git repository, and cluster.hub does not name one.",
      advice:
        "Set cluster.hub in ambit.yaml to a repository that every machine can push to, and commit the file.",
    }),
  nameTaken: (name: string): DelegationError =>
    makeError({
      code: "CLUSTER_NAME_TAKEN",
      message: `Another machine that works on this project is called ${name}.`,
      advice: "Choose another name with --name. ambit cluster status lists the machines.",
    }),
  machineUnknown: (name: string): DelegationError =>
    makeError({
      code: "CLUSTER_NO_PROJECT",
      message: `The project's cluster knows no machine called "${quoteExcerpt(name)}".`,
      advice: "ambit cluster status lists the machines.",
    }),
  poolInvalid: (name: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `A pool cannot be called "${quoteExcerpt(name)}".`,
      advice: "Give --pool up to 63 letters, digits, hyphens and underscores.",
    }),
  poolsTooMany: (count: number, max: number): DelegationError =>
    makeError({
      code: "USAGE",
      message: `A machine serves ${max} pools at most; --pool names ${count}.`,
      advice: "Give several agents the same pool in cluster.pools, or share the pools out among machines.",
    }),
  metricsInvalid: (place: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `"${quoteExcerpt(place)}" is not an address on which metrics can be offered.`,
      advice: "Give --metrics a host and a port, such as 127.0.0.1:9464.",
    }),
  metricsUnusable: (place: string, cause: unknown): DelegationError =>
    makeError({
      code: "USAGE",
      message: `Metrics cannot be offered on ${place}: ${readErrorMessage(cause)}`,
      advice: "Give --metrics another host or port.",
      cause,
    }),
  inProcess: (): DelegationError =>
    makeError({
      code: "USAGE",
      message: "Machines of a cluster run this project's work, so it cannot run in the process of a command.",
      advice: "Leave out --in-process, or take cluster.hub out of ambit.yaml.",
    }),
  slotsInvalid: (slots: number, max: number): DelegationError =>
    makeError({
      code: "USAGE",
      message: `A machine runs 1 to ${max} attempts at once; got ${slots}.`,
      advice: `Give --slots a number from 1 to ${max}.`,
    }),
  nameInvalid: (name: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `A machine cannot be called "${quoteExcerpt(name)}".`,
      advice: "Give --name up to 63 letters, digits, dots, hyphens and underscores.",
    }),
  notIsolated: (): DelegationError =>
    makeError({
      code: "SANDBOX_UNAVAILABLE",
      message: "A worker machine runs agents in a sandbox only, and this machine cannot make one.",
      advice:
        "Install bubblewrap, or pass --trust-agents: agents can then read what this user can, the cluster's address too.",
    }),
  redisMissing: (): DelegationError =>
    makeError({
      code: "CLUSTER_ADDRESS_INVALID",
      message: "cluster.dispatch is redis, and AMBIT_CLUSTER_REDIS_URL is not set to redis://host:port.",
      advice: "Set AMBIT_CLUSTER_REDIS_URL on every machine, or take cluster.dispatch out of ambit.yaml.",
    }),
  redisUnreachable: (place: string, cause: unknown): DelegationError =>
    makeError({
      code: "CLUSTER_UNREACHABLE",
      message: `Redis at ${place} cannot be reached: ${readErrorMessage(cause)}`,
      advice: "Check that it runs, and that host, port and password in AMBIT_CLUSTER_REDIS_URL are right.",
      recoverable: true,
      cause,
    }),
  notInCluster: (): DelegationError =>
    makeError({
      code: "CLUSTER_NO_PROJECT",
      message: "This project is not in a cluster.",
      advice: "Run ambit cluster init first.",
    }),
  noCommit: (): DelegationError =>
    makeError({
      code: "CLUSTER_NO_PROJECT",
      message:
        "A project in a cluster is named after its first commit; this repository is empty or a shallow clone.",
      advice:
        "Commit something, or fetch the history with git fetch --unshallow; then run ambit cluster init.",
    }),
  notEmpty: (place: string, events: number): DelegationError =>
    makeError({
      code: "CLUSTER_NOT_EMPTY",
      message: `The journal of this project at ${place} already has ${events} events; a journal is imported into an empty one only.`,
      advice: "Nothing was changed. Compare both with ambit cluster status.",
    }),
  diverged: (place: string, facts: { readonly here: number; readonly there: number }): DelegationError =>
    makeError({
      code: "STORE_DIVERGED",
      message: `The journal of this machine (${facts.here} events) is not the beginning of the one at ${place} (${facts.there} events).`,
      advice:
        "Nothing was changed. If the cluster's is empty, run ambit cluster import. Else check the address, or move .git/ambit away to take the cluster's.",
    }),
};
