import { randomBase36 } from "../../base/ids.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { nameExternalManager, OUTSIDE_ADAPTER } from "../../orchestrator/delegation-kind.ts";
import type { StoryCaller } from "../../orchestrator/story-caller.ts";
import type { PersonCalls } from "../protocol/person-calls.ts";
import type { Client } from "../socket/socket-server.ts";

type ManagerRequest = PersonCalls["outside"]["read"] & {
  /** The manager's own shell and checkout. */
  readonly origin: StoryCaller;
};

/**
 * Lets a manager that runs outside manage a story for as long as its connection lives. Its token is for the workers'
 * socket, where it can do what any manager can and no more.
 */
export async function serveExternalManager(
  engine: Engine,
  { client: name, title, story: known, isProjectTrusted, origin }: ManagerRequest,
  client: Client,
): Promise<PersonCalls["outside"]["answer"]> {
  const story = known ?? `S-${randomBase36(6)}`;
  const open = (): Promise<string> =>
    engine.openStory({ ...buildRequest(story, name, title), isProjectTrusted }, origin);
  const token = await (known === undefined
    ? engine.externalManagers.open(story, open)
    : engine.externalManagers.join(story));
  client.onClose(() => engine.externalManagers.leave(story, token));
  void engine
    .whenEnded(story)
    .then(({ outcome }) => client.notify({ notice: "outside-ended", data: { story, outcome } }));
  return { story, token, socket: engine.tools.socket };
}

function buildRequest(id: string, client: string, title: string | undefined): object {
  return {
    id,
    title: title ?? `Work managed by ${client === "" ? "a client" : client}`.slice(0, 200),
    adapter: OUTSIDE_ADAPTER,
    agent: nameExternalManager(client),
  };
}
