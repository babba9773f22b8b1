/*
 * One more web process on the database and chains of the stack that runs here, for tests of what processes share. The
 * settings of `npm start` (HALCYON_DATA, PORT …) identify the stack; WEB_PORT is the port of this process. THROUGH maps
 * variables to the ports through which it reaches services instead: {"DATABASE_URL": 4000}. SEARCH_PATH is that of its
 * database connections.
 */
import { ensureBuild } from "@/scripts/stack/build";
import { adoptRunningStack } from "@/scripts/stack/running-env";

const { WEB_PORT: port = "", HALCYON_DIST: dist, THROUGH: through = "{}", SEARCH_PATH: searchPath } = process.env;
await adoptRunningStack();
for (const [name, at] of Object.entries(JSON.parse(through))) {
  process.env[name] = process.env[name]?.replace(/:\d+(?=\/|$)/, `:${at}`);
}
if (searchPath) {
  const database = new URL(process.env.DATABASE_URL ?? "");
  database.searchParams.set("search_path", searchPath);
  process.env.DATABASE_URL = database.href;
}
Object.assign(process.env, {
  PORT: port,
  NEXTAUTH_URL: `http://localhost:${port}`,
  HALCYON_DIST: dist || (await ensureBuild((line) => console.error(line))),
});
await import("@/server");
