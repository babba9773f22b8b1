import type { Hex } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { HalcyonError } from "../api/errors";
import type { ClientSignedTransferBody, PrepareTransferInput } from "./prepare-transfer-input";

/** The details of a payment besides recipient, amount and memo. */
export type PaymentDetailsInput = Pick<
  PrepareTransferInput,
  "reference" | "uniqueReference" | "paymentRequest" | "binding"
>;

/** Converts the details that the service may read to the API's form. */
export function detailsBody({
  reference,
  uniqueReference,
  paymentRequest,
}: PaymentDetailsInput): Pick<ClientSignedTransferBody, "reference" | "unique_reference" | "payment_request"> {
  return {
    ...(reference !== undefined && { reference }),
    ...(uniqueReference !== undefined && { unique_reference: uniqueReference }),
    ...(paymentRequest !== undefined && { payment_request: paymentRequest }),
  };
}

/**
 * Parses a payment's binding into bytes.
 *
 * @throws HalcyonError `invalid_request` when it is not 32 bytes, or the payment has no encrypted copy to carry it
 */
export function bindingBytes(binding: Hex | undefined, kind: "transfer" | "release" | "fund"): Uint8Array | undefined {
  if (binding === undefined) return undefined;
  if (!/^0x[0-9a-f]{64}$/i.test(binding)) {
    throw new HalcyonError("invalid_request", "binding is 32 bytes: 0x and 64 hex digits.", { param: "binding" });
  }
  if (kind === "transfer") return fromHex(binding);
  const message = "Only a confidential payment to another account carries a binding. Leave it out.";
  throw new HalcyonError("invalid_request", message, { param: "binding" });
}
