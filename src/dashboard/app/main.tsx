import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./frame/app.tsx";
import { goTo } from "./frame/route.ts";
import { startTheme } from "./frame/theme.ts";
import { startNotifying } from "./live/notify.ts";
import { asProblem, openSession } from "./live/calls.ts";
import { liveProject, watchProject } from "./live/project.ts";

startTheme();
const place = document.querySelector("#app");
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
startNotifying(goTo);
void startSession();

/** The printed address has a token after its `#`, which browsers never send. It is removed from the address at once. */
async function startSession(): Promise<void> {
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
