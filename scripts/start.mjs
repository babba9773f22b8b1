// `npm start`: the whole service on this machine.
import { prepare, run } from "./install.mjs";
import { warnOfNode } from "./node-warning.mjs";

await prepare();
warnOfNode();
await run("scripts/stack.ts");
