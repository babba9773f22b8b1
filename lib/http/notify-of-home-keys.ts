import { setTimeout as sleep } from "node:timers/promises";
import { announceExposed } from "@/lib/accounts/keys/announce-exposed";
import { log } from "@/lib/base/telemetry/log";

/** Anyone can send any number of texts that look like home keys. Few wait to be looked up, and more are dropped. */
const MOST_WAITING = 8;
/** After each look-up, which derives a key and asks the database, for a request that no limit has counted yet. */
const PAUSE_MS = 100;
const waiting: string[] = [];
let looking = false;

/** Notifies the owner of a home key that a request carried it. The refusal does not wait for that. */
export function notifyOfHomeKeys(keys: readonly string[]): void {
  waiting.push(...keys.slice(0, MOST_WAITING - waiting.length));
  if (!looking) void lookUp();
}

async function lookUp(): Promise<void> {
  looking = true;
  for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
    await announceExposed(key).catch(() =>
      log().warn("the owner of a home key that a request carried could not be notified"),
    );
    await sleep(PAUSE_MS, undefined, { ref: false });
  }
  looking = false;
}
