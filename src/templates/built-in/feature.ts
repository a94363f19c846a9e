import type { Template } from "../../contract/template.ts";

/** Components that can be built and tested alone. */
export const featureTemplate: Template = {
  title: "By component",
  summary: "A feature made of components that can be built and tested alone",
  avoid: "Components that share most of their files, or wait for each other",
  depth: 1,
  example: "Implement checkout flow",
  parts: [
    { name: "payment", description: "Payment processing integration (Stripe API)", hours: 6 },
    { name: "order", description: "Order validation and inventory check", hours: 4 },
    { name: "email", description: "Email confirmation service", hours: 3 },
    { name: "receipt", description: "Receipt generation and PDF export", hours: 4 },
  ],
  guidance: `Name the components first, then the line between each two: the function, event or file through which they meet.
Write that line down yourself before you hand anything out, so that no worker has to guess it.
Give each worker one component, its own folder as scope, and a test of its own as acceptance.
Keep what joins the components for yourself, and do it when they are back.`,
};
