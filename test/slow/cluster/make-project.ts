import { commitProject } from "../commit-project.ts";

export interface ChaosPlan {
  readonly nodes: number;
  readonly slots: number;
  readonly atOnce: number;
  readonly limit: number;
  readonly dispatch: "postgres" | "redis";
  readonly leaseSeconds: number;
  /** How often the work of running agents is pushed. */
  readonly keepSeconds: number;
  /** How many files the repository has beside its own. */
  readonly files: number;
  /** How long an agent works, at least and at most. */
  readonly agentSeconds: readonly [number, number];
}

const FOLDERS = 200;
const LINES = 100;

/** The parts of one story. */
export const PARTS = 6;

export const namePart = (story: string, part: number): string => `${story}-P${part}`;

/** A repository whose stories have parts that work for a while, change a file and say when they ran. */
export function makeChaosProject(root: string, hub: string, log: string, plan: ChaosPlan): void {
  const [least, most] = plan.agentSeconds;
  // A story alone may have all its parts at work: only the limit of all machines together is tried.
  const parallel = `parallel: {maxConcurrent: ${PARTS}}`;
  const files: Record<string, string> = {
    // Hundreds of them run on one machine: while one works, it starts no program.
    "part.sh": `name=$(grep -o 'S[0-9]*-P[0-9]*' | head -n 1)
say() { local now=\${EPOCHREALTIME/[.,]/}; echo "$name $AMBIT_ATTEMPT $1 \${now%???}" >> '${log}'; }
say begin
echo '{"ambit":"usage","input_tokens":3,"output_tokens":1,"usd":0.001}'
left=$((${least} + $(printf '%s' "$name" | cksum | cut -d' ' -f1) % ${most - least + 1}))
exec 9<> <(:)
while [ $left -gt 0 ]; do read -rt 1 -u 9; left=$((left - 1)); say tick; done
mkdir -p parts
echo "$AMBIT_ATTEMPT" > "parts/$name"
say end
`,
    ".ambit/agents/part.md": "---\nname: part\nadapter: command\ncommand: [bash, part.sh]\n---\n",
    ".ambit/agents/lead.md": "---\nname: lead\nadapter: command\ncommand: [sh, lead.sh]\n---\n",
    // A manager whose machine was lost after it delegated must not do it again.
    "lead.sh": `story=$(grep -o 'story-S[0-9]*' | head -n 1 | cut -c 7-)
mark='${log}'.$story
[ "$AMBIT_TURN" = begin ] && [ ! -e "$mark" ] || exit 0
tasks=
for part in $(seq ${PARTS}); do
  tasks="$tasks,{\\"description\\":\\"Make $story-P$part\\",\\"agent\\":\\"part\\",\\"accept\\":[\\"file parts/$story-P$part exists\\"]}"
done
ambit delegate --wait 0 --tasks "[\${tasks#,}]" && touch "$mark"
`,
    "ambit.yaml": `delegation:
  windDown: {graceSeconds: 1}
  ${parallel}
  retry: {enabled: true, maxAttempts: 3}
workspace: {pool: 0}
cluster:
  hub: ${hub}
  lease: ${plan.leaseSeconds}
  keepEvery: ${plan.keepSeconds}
  dispatch: ${plan.dispatch}
  maxConcurrent: ${plan.limit}
`,
  };
  for (let number = 0; number < plan.files; number += 1)
    files[`source/${number % FOLDERS}/file-${number}.txt`] = `${number}\n`.repeat(LINES);
  commitProject(root, files, `start in ${root}`);
}
