import { HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";

/**
 * The service accepted a payment and it failed on chain: no money moved. It is not retried, and the same idempotency
 * key returns the failed transfer for 24 hours. To pay again, use a new key.
 */
export class TransferFailed extends HalcyonError {
  override readonly name = "TransferFailed";
  constructor(
    /** The failed transfer, from the service. */
    readonly transfer: Transfer,
  ) {
    super(
      "transfer_failed",
      `Transfer ${transfer.transfer_id} failed; no money moved. To pay again, send it with a new idempotency key.`,
    );
  }
}
