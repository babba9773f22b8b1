import { announceExposed } from "@/lib/accounts/keys/announce-exposed";
import { log } from "@/lib/base/telemetry/log";

/** Anyone can send any number of texts that look like home keys, so few of them are looked up at a time. */
const MOST = 8;
let lookUps = 0;

/** Notifies the owner of a home key that a request carried it. The refusal does not wait for that. */
export function notifyOfHomeKeys(keys: readonly string[]): void {
  for (const key of keys.slice(0, MOST - lookUps)) {
    lookUps += 1;
    announceExposed(key)
      .catch(() => log().warn("the owner of a home key that a request carried could not be notified"))
      .finally(() => {
        lookUps -= 1;
      });
  }
}
