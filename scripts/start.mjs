// `npm start`: the whole service on this machine.
import { nodeWarning, prepare, run } from "./install.mjs";

await prepare();
const warning = nodeWarning(process.versions.node);
if (warning) console.warn(warning);
await run("scripts/stack.ts");
