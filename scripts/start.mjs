// `npm start`: the whole service on this machine.
import { prepare, run } from "./install.mjs";

await prepare();
await run("scripts/stack.ts");
