import type { ServerResponse } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { count } from "@/lib/base/telemetry/record";

/** The most bytes of large responses that one client address leaves unread: seventeen of the largest views. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Counts large responses that clients without a key or session have not read yet. Admission counts no response that has
 * begun, and a client may read at the least rate, so one address could otherwise have this process keep any number.
 */
export class UnreadResponses {
  private readonly bytesOf = new Map<string, number>();

  /**
   * Counts a response until it has been sent, or its client has disconnected.
   *
   * @param owner a client address
   * @returns the error to respond with instead if it is too much
   */
  enter(owner: string, bytes: number, response: ServerResponse): ApiError | undefined {
    // Its `close` may be past.
    if (response.destroyed) return undefined;
    if ((this.bytesOf.get(owner) ?? 0) + bytes > MOST_BYTES) {
      count("halcyon.rate_limit.refusals", { policy: "unread" });
      const message = "You have not read what was sent to you before. Read those responses, then ask again.";
      return new ApiError("rate_limited", message, { retryAfter: 1 });
    }
    this.change(owner, bytes);
    response.once("close", () => this.change(owner, -bytes));
    return undefined;
  }

  private change(owner: string, bytes: number): void {
    const left = (this.bytesOf.get(owner) ?? 0) + bytes;
    if (left === 0) this.bytesOf.delete(owner);
    else this.bytesOf.set(owner, left);
  }
}
