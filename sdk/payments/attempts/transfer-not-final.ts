import { errorDetails, HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";

/** What is known about a payment that the service accepted. */
export type AcceptedTransfer = Pick<Transfer, "transfer_id"> & Partial<Transfer>;

/**
 * The service accepted a payment, and this call ended before the payment was final: `waitTimeout` expired, the call was
 * aborted, or the service became unreachable. The payment continues. Do not send it again; read it with
 * `transfers.get(error.transfer.transfer_id)`.
 */
export class TransferNotFinal extends HalcyonError {
  override readonly name = "TransferNotFinal";
  constructor(
    /** The transfer as last seen. */
    readonly transfer: AcceptedTransfer,
    cause?: HalcyonError,
    why = cause ? ` ${cause.message}` : "",
  ) {
    super(
      "outcome_unknown",
      `Transfer ${transfer.transfer_id} was accepted and is not final yet. Do not send it again: read it with ` +
        `\`transfers.get\`.${why}`,
      { cause, ...(cause && errorDetails(cause)) },
    );
  }
}
