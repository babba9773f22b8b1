/*
 * A further web server beside the running product's: same database, chains and secrets, on SECOND_PORT. Settings in its
 * environment (APPROVAL_WINDOW_SECONDS ...) are its own.
 */
import { ensureBuild } from "../stack/build";
import { adoptRunningStack } from "../stack/running-env";

await adoptRunningStack();
process.env.PORT = process.env.SECOND_PORT;
process.env.HALCYON_DIST ||= await ensureBuild(() => {});
await import("../../server");
