import { HalcyonError } from "./errors";

/** A handle or ledger differs from the one this machine first saw: someone may be redirecting payments. */
export class PinMismatch extends HalcyonError {
  override readonly name = "PinMismatch";
  constructor(message: string) {
    super("invalid_request", message);
  }
}
