import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./frame/app.tsx";
import { startTheme } from "./frame/theme.ts";
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
void startSession();
