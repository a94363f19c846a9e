/** npm run bench -- scale|startup [options] */
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
  default:
    console.error("usage: npm run bench -- scale|startup [options]");
    process.exitCode = 2;
}
