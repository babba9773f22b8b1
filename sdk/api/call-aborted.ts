import { NoResponse } from "./errors";

/** The `signal` of a call, or of its client, aborted the call. */
export class CallAborted extends NoResponse {
  override readonly name = "CallAborted";
  /** @param started whether a request had already been sent */
  constructor(cause: unknown, started = false) {
    super("aborted", "The call was aborted by its signal.", { cause });
    this.neverArrived = !started;
  }
}
