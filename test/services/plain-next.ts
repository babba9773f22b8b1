/*
 * Next alone, on the database and chains of the stack that runs here: `next start` without the thin server in front.
 * Otherwise like test/services/web.ts.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { WEB_SERVER_LIMITS } from "@/lib/http/web-server";
import { ensureBuild } from "@/scripts/stack/build";
import { ROOT } from "@/scripts/stack/config";
import { adoptRunningStack } from "@/scripts/stack/running-env";

const { WEB_PORT: port = "", HALCYON_DIST: dist } = process.env;
await adoptRunningStack();
const env = {
  ...process.env,
  NODE_ENV: "production",
  PORT: port,
  NEXTAUTH_URL: `http://localhost:${port}`,
  HALCYON_DIST: dist || (await ensureBuild((line) => console.error(line))),
} as const;
const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
// Like the server in front. Otherwise clients could reuse connections that have just been closed.
const keepAlive = ["--keepAliveTimeout", String(WEB_SERVER_LIMITS.keepAliveMs)];
const child = spawn(process.execPath, [next, "start", "-p", port, ...keepAlive], { cwd: ROOT, env, stdio: "inherit" });
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.once("exit", (code) => process.exit(code ?? 0));
