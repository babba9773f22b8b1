import { NoResponse } from "./errors";

/** The `signal` of a call, or of its client, ended it. */
export class CallAborted extends NoResponse {
  override readonly name = "CallAborted";
  /** @param started a request was on its way */
  constructor(cause: unknown, started = false) {
    super("aborted", "The call was aborted by its signal.", { cause });
    this.neverArrived = !started;
  }
}
