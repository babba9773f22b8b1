/*
 * npm run test:next — the API suite against `next start` alone. Route handlers below /v1 and /api are ordinary Next.js
 * ones; the server in front only calls them without Next.js's router (docs/design/operations.md). Tests of what that
 * server does by itself are left out.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { startWeb } from "@/test/services/start-web";
import { ROOT } from "./stack/config";
import { withProduct } from "./test/product";

/** Test files about the server in front, or about processes that they start themselves, which are that server. */
const OF_THE_SERVER = ["daily-limit", "fuzz", "held-races", "metrics", "process", "rate-limits", "transport"];
/** Tests of what only that server handles: bodies of GET, client addresses, repeated headers, unknown methods. */
const KNOWN_TO_THE_SERVER = [
  "a GET with a body",
  "a proof that is not a string, an unknown field, a body that is no object",
  "who did what to an agent, when, from where",
  "a key used from an address its allow-list does not hold",
  "a stream ends with its session, signed out or revoked from elsewhere",
  "a body with a field twice, a compressed one, and two idempotency keys",
  "405 with the methods that work",
  "a method that an address does not support",
  // It needs the 405 of the test before.
  "of every code of the contract there is an example",
];

const specs = readdirSync(path.join(ROOT, "e2e/api"))
  .filter((file) => file.endsWith(".spec.ts") && !OF_THE_SERVER.includes(file.slice(0, -".spec.ts".length)))
  .map((file) => `e2e/api/${file}`);

const status = await withProduct(async (env) => {
  Object.assign(process.env, env);
  const next = await startWeb({}, "test/services/plain-next.ts");
  try {
    const cli = path.join(
      path.dirname(createRequire(import.meta.url).resolve("@playwright/test/package.json")),
      "cli.js",
    );
    const child = spawn(
      process.execPath,
      [cli, "test", "--reporter=line", "--grep-invert", KNOWN_TO_THE_SERVER.join("|"), ...specs],
      {
        cwd: ROOT,
        env: { ...process.env, HALCYON_URL: next.url },
        stdio: "inherit",
      },
    );
    return await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
  } finally {
    await next.stop();
  }
});
process.exit(status);
