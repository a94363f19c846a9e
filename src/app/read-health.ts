import { readErrorMessage } from "../base/delegation-error.ts";
import { clusterStatusUseCase, type ClusterAnswer } from "./cluster.ts";
import { doctorUseCase } from "./doctor.ts";
import { findProject } from "./project/open-project.ts";
import type { AppContext } from "./project/app-context.ts";
import { supervisorStatusUseCase } from "./supervisor-status.ts";
import type { ClusterHealth, Health } from "./view-types.ts";

/** Collects what `ambit doctor`, `ambit supervisor status` and `ambit cluster status` find now. */
export async function readHealth(context: AppContext): Promise<Health> {
  const { ok, findings } = await doctorUseCase.run(context, { fix: false, repair: false });
  return {
    ok,
    findings: findings.map((finding) => ({
      name: finding.name,
      ok: finding.ok,
      detail: finding.detail,
      next: finding.next ?? "",
      isAdvice: finding.is_advice ?? false,
      isAbsent: finding.is_absent ?? false,
    })),
    supervisor: await readSupervisor(context),
    cluster: await readClusterHealth(context),
  };
}

/** A supervisor that does not answer is reported by the findings. */
async function readSupervisor(context: AppContext): Promise<Health["supervisor"]> {
  try {
    const { running, pid, version, stories } = await supervisorStatusUseCase.run(context, {});
    return { isRunning: running, pid: pid ?? null, version: version ?? null, stories: stories ?? [] };
  } catch {
    return { isRunning: false, pid: null, version: null, stories: [] };
  }
}

async function readClusterHealth(context: AppContext): Promise<ClusterHealth | null> {
  const { readMembership } = await import("../journal/cluster.ts");
  if (readMembership(findProject(context).storeFile) === undefined) return null;
  try {
    const answer = await clusterStatusUseCase.run(context, {});
    const machines = answer.machines.map(describeMachine);
    return {
      problem: "",
      coordinator: answer.runs_on,
      isCoordinated: answer.coordinated,
      machines: machines.toSorted((one, other) => one.name.localeCompare(other.name)),
    };
  } catch (error) {
    return { problem: readErrorMessage(error), coordinator: null, isCoordinated: false, machines: [] };
  }
}

function describeMachine(machine: ClusterAnswer["machines"][number]): ClusterHealth["machines"][number] {
  const { name, pool, slots, used, version, alive, draining } = machine;
  const heard = draining ? "lets its work end" : "takes work";
  return { name, pool, slots, used, version, state: alive ? heard : "not heard" };
}
