import { doctorUseCase } from "./doctor.ts";
import type { AppContext } from "./project/app-context.ts";
import { supervisorStatusUseCase } from "./supervisor-status.ts";
import type { Health } from "./view-types.ts";

/** What `ambit doctor` and `ambit supervisor status` find, now. */
export async function readHealth(context: AppContext): Promise<Health> {
  const { ok, findings } = await doctorUseCase.run(context, { fix: false, repair: false });
  return {
    ok,
    findings: findings.map(({ name, ok: isOk, detail, next = "", is_advice: isAdvice = false }) => ({
      name,
      ok: isOk,
      detail,
      next,
      isAdvice,
    })),
    supervisor: await readSupervisor(context),
  };
}

/** One that cannot be talked to is told by the findings. */
async function readSupervisor(context: AppContext): Promise<Health["supervisor"]> {
  try {
    const { running, pid, version, stories } = await supervisorStatusUseCase.run(context, {});
    return { isRunning: running, pid: pid ?? null, version: version ?? null, stories: stories ?? [] };
  } catch {
    return { isRunning: false, pid: null, version: null, stories: [] };
  }
}
