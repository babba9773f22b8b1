// `npm test [-- unit|circuits|contracts|e2e …]`: every test, or the named parts.
import { prepare, run } from "./install.mjs";

await prepare();
await run("scripts/test.ts");
