import type { Template } from "../../contract/template.ts";
import { featureTemplate } from "./feature.ts";
import { frontBackTemplate } from "./front-back.ts";
import { layerTemplate } from "./layer.ts";
import { researchTemplate } from "./research.ts";
import { testDrivenTemplate } from "./test-driven.ts";

/** The five ways of R8, by the name `--template` takes. */
export const builtInTemplates: Readonly<Record<string, Template>> = {
  feature: featureTemplate,
  layer: layerTemplate,
  "test-driven": testDrivenTemplate,
  research: researchTemplate,
  "front-back": frontBackTemplate,
};
