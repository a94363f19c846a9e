import { asProblem, openSession } from "./calls.ts";
import { liveProject, watchProject } from "./project.ts";

/** The printed address has a token after its `#`, which browsers never send. It is removed from the address at once. */
export async function startSession(): Promise<void> {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token");
  if (token !== null) {
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
    try {
      await openSession(token);
    } catch (error) {
      liveProject.set((known) => ({ ...known, problem: asProblem(error) }));
      return;
    }
  }
  await watchProject();
}
