import { setTimeout as sleep } from "node:timers/promises";
import { announceExposed } from "@/lib/accounts/keys/announce-exposed";
import { log } from "@/lib/base/telemetry/log";

/** Anyone can send any number of texts that look like home keys. Few wait to be looked up, and more are dropped. */
const MOST_WAITING = 8;
/** After each look-up, which derives a key and asks the database, for a request that no limit has counted yet. */
const PAUSE_MS = 100;

/** Returns a function that has `announce` look up home keys one after the other, and does not wait for that. */
export function oneByOne(announce: (homeKey: string) => Promise<void>): (homeKeys: readonly string[]) => void {
  const waiting: string[] = [];
  let looking = false;
  const lookUp = async () => {
    looking = true;
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      await announce(key).catch(() =>
        log().warn("the owner of a home key that a request carried could not be notified"),
      );
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
    looking = false;
  };
  return (homeKeys) => {
    waiting.push(...homeKeys.slice(0, MOST_WAITING - waiting.length));
    if (!looking) void lookUp();
  };
}

/** Notifies the owner of a home key that a request carried it. The refusal does not wait for that. */
export const notifyOfHomeKeys = oneByOne(announceExposed);
