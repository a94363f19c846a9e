import type { ClusterHealth } from "../../../app/view-types.ts";
import { Outside } from "../parts/outside.tsx";
import { Tag } from "../parts/state-mark.tsx";
import { Rows } from "../parts/rows.tsx";

type Machine = ClusterHealth["machines"][number];

/** The machines that run the project's agents, as `ambit cluster status` finds them now. */
export function Machines({ cluster }: { readonly cluster: ClusterHealth }) {
  const { problem, machines } = cluster;
  return (
    <section aria-labelledby="machines">
      <h2 id="machines">Machines</h2>
      {problem === "" ? (
        <Coordinator cluster={cluster} />
      ) : (
        <p>
          <Tag tone="bad">✖ not known</Tag> <Outside text={problem} />
        </p>
      )}
      {machines.length > 0 && <MachineTable machines={machines} />}
      {problem === "" && machines.length === 0 ? (
        <p className="quiet">
          None takes work. Start <code>ambit worker</code> on a machine.
        </p>
      ) : null}
    </section>
  );
}

function Coordinator({ cluster: { coordinator, isCoordinated } }: { readonly cluster: ClusterHealth }) {
  return (
    <p>
      <Tag tone={isCoordinated ? "good" : "quiet"}>
        {isCoordinated ? "✔ coordinated" : "◌ not coordinated"}
      </Tag>{" "}
      <span className="quiet">
        {coordinator === null ? (
          "no machine has joined"
        ) : (
          <Outside text={`checks and merges run on ${coordinator}`} />
        )}
      </span>
    </p>
  );
}

function MachineTable({ machines }: { readonly machines: readonly Machine[] }) {
  return (
    <div className="sheet">
      <Rows
        caption="Machines"
        isCaptionUnseen
        columns={["Machine", "State", "Slots in use", "Pool", "Version"]}
      >
        {machines.map((machine) => (
          <MachineRow key={machine.name} machine={machine} />
        ))}
      </Rows>
    </div>
  );
}

const marks = {
  "takes work": { tone: "good", mark: "✔" },
  "lets its work end": { tone: "attention", mark: "◐" },
  "not heard": { tone: "bad", mark: "✖" },
} as const;

function MachineRow({ machine: { name, state, slots, used, pool, version } }: { readonly machine: Machine }) {
  const { tone, mark } = marks[state];
  return (
    <tr>
      <th scope="row">
        <Outside text={name} />
      </th>
      <td>
        <Tag tone={tone}>
          {mark} {state}
        </Tag>
      </td>
      <td className="numbers">
        {used} of {slots}
      </td>
      <td>
        <Outside text={pool} />
      </td>
      <td className="numbers">
        <Outside text={version} />
      </td>
    </tr>
  );
}
