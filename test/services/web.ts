/*
 * One more web process on the database and chains of the stack that runs here, for tests of what processes share. The
 * stack is found by the settings of `npm start` (HALCYON_DATA, PORT …); WEB_PORT is where this process listens. THROUGH
 * names the ports it reaches services at instead of theirs, by variable: {"DATABASE_URL": 4000}.
 */
import { ensureBuild } from "@/scripts/stack/build";
import { adoptRunningStack } from "@/scripts/stack/running-env";

const { WEB_PORT: port = "", HALCYON_DIST: dist, THROUGH: through = "{}" } = process.env;
await adoptRunningStack();
for (const [name, at] of Object.entries(JSON.parse(through))) {
  process.env[name] = process.env[name]?.replace(/:\d+(?=\/|$)/, `:${at}`);
}
Object.assign(process.env, {
  PORT: port,
  NEXTAUTH_URL: `http://localhost:${port}`,
  HALCYON_DIST: dist || (await ensureBuild((line) => console.error(line))),
});
await import("@/server");
