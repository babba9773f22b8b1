import type postgres from "postgres";
import { HOLDER } from "./settings";

/**
 * Keeps a transaction from counting as idle while its process does something else. Returns what ends that.
 *
 * @param tx a transaction whose `idle_in_transaction_session_timeout` is {@link HOLDER}'s
 */
export function beat(tx: postgres.ISql): () => void {
  let responded = true;
  const timer = setInterval(() => {
    if (!responded) return;
    responded = false;
    tx`select 1`.then(
      () => {
        responded = true;
      },
      // The transaction itself fails.
      () => {},
    );
  }, HOLDER.beatMs);
  timer.unref();
  return () => clearInterval(timer);
}
