/** npm run bench -- scale|startup|workspace|delegation|merge|parallel|tasks|dashboard|redaction|first-story|against|figures [options] */
const [name, ...options] = process.argv.slice(2);

switch (name) {
  case "scale": {
    const { scale } = await import("./scale.ts");
    process.exitCode = await scale(options);
    break;
  }
  case "startup": {
    const { startup } = await import("./startup.ts");
    process.exitCode = await startup(options);
    break;
  }
  case "workspace": {
    const { workspace } = await import("./workspace.ts");
    process.exitCode = await workspace(options);
    break;
  }
  case "delegation": {
    const { delegation } = await import("./delegation.ts");
    process.exitCode = await delegation(options);
    break;
  }
  case "merge": {
    const { merge } = await import("./merge.ts");
    process.exitCode = await merge(options);
    break;
  }
  case "parallel": {
    const { parallel } = await import("./parallel.ts");
    process.exitCode = await parallel(options);
    break;
  }
  case "tasks": {
    const { tasks } = await import("./tasks.ts");
    process.exitCode = await tasks(options);
    break;
  }
  case "dashboard": {
    const { dashboard } = await import("./dashboard.ts");
    process.exitCode = await dashboard(options);
    break;
  }
  case "redaction": {
    const { redaction } = await import("./redaction.ts");
    process.exitCode = await redaction(options);
    break;
  }
  case "against": {
    const { against } = await import("./against.ts");
    process.exitCode = await against(options);
    break;
  }
  case "first-story": {
    const { firstStory } = await import("./first-story.ts");
    process.exitCode = await firstStory(options);
    break;
  }
  case "figures": {
    const { figures } = await import("./figures.ts");
    process.exitCode = figures(options);
    break;
  }
  default:
    console.error(
      "usage: npm run bench -- scale|startup|workspace|delegation|merge|parallel|tasks|dashboard|redaction|first-story|against|figures [options]",
    );
    process.exitCode = 2;
}
