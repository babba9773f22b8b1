/*
 * npm run test:next — the API suite against `next start` alone. Route handlers below /v1 and /api are ordinary Next.js
 * ones; the server in front only calls them without Next.js's router (docs/design/operations.md). Tests of what that
 * server does by itself are left out.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { startWeb } from "@/test/services/start-web";
import { ROOT } from "./stack/config";
import { KNOWN_TO_THE_SERVER, specsOfRoutes } from "./test/next";
import { withProduct } from "./test/product";

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
      [cli, "test", "--reporter=line", "--grep-invert", KNOWN_TO_THE_SERVER.join("|"), ...specsOfRoutes()],
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
