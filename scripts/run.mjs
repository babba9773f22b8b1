// Runs a TypeScript file of this repository: node scripts/run.mjs FILE [ARGUMENTS]
import { prepare, run } from "./install.mjs";

const [file] = process.argv.splice(2, 1);
if (!file) {
  console.error("usage: node scripts/run.mjs FILE [ARGUMENTS]");
  process.exit(1);
}
await prepare();
await run(file);
