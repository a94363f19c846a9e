import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./frame/app.tsx";
import { goTo } from "./frame/route.ts";
import { startTheme } from "./frame/theme.ts";
import { startNotifying } from "./live/notify.ts";
import { startSession } from "./live/session.ts";

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
