import { HalcyonError } from "./errors";

/** A handle or ledger is not what this machine saw at first use: someone may be misdirecting payments. */
export class PinMismatch extends HalcyonError {
  override readonly name = "PinMismatch";
  constructor(message: string) {
    super("invalid_request", message);
  }
}
