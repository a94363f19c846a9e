import type { Template } from "../../contract/template.ts";

/** Two sides that meet at an interface, at the same time. */
export const frontBackTemplate: Template = {
  title: "Front and back",
  summary: "A feature with a screen and a server behind it",
  avoid: "A screen over an interface that does not exist and cannot be written down yet",
  depth: 1,
  example: "Add user profile page",
  parts: [
    { name: "back", description: "Backend API endpoints for profile CRUD", hours: 5 },
    { name: "front", description: "React profile component with form validation", hours: 6 },
    { name: "images", description: "Profile image upload and storage", hours: 4 },
    {
      name: "integration",
      description: "Integration tests for profile flow",
      hours: 3,
      after: ["back", "front", "images"],
    },
  ],
  guidance: `Write the interface down first, as a file both sides get: paths, fields, types, errors.
Both sides then start at once, each with its own folder as scope; neither may change the interface alone.
The screen is accepted against recorded answers of the interface, the server against requests.
What joins them waits for both (depends_on) and runs the real thing from end to end.`,
};
