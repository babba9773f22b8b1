import { closeDb } from "@/db/client";
import { runWebhooks } from "@/lib/worker/run-webhooks";

// A process that only delivers webhooks. Tests kill it.
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
process.stdout.write("ready\n");
await runWebhooks(stop.signal);
await closeDb();
