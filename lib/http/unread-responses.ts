import type { ServerResponse } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { count } from "@/lib/base/telemetry/record";

/** The most bytes of large responses that one reader leaves unread: seventeen of the largest views. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Counts large responses that have not been read yet. Admission counts no response that has begun, and a client may read
 * at the least rate, so one address, or one account, could otherwise have this process keep any number.
 */
export class UnreadResponses {
  private readonly bytesOf = new Map<string, number>();

  /**
   * Counts a response until it has been sent, or its client has disconnected.
   *
   * @param reader a client address, or an account with a valid key or session
   * @returns the error to respond with instead if it is too much
   */
  enter(reader: string, bytes: number, response: ServerResponse): ApiError | undefined {
    // Its `close` may be past.
    if (response.destroyed) return undefined;
    if ((this.bytesOf.get(reader) ?? 0) + bytes > MOST_BYTES) {
      count("halcyon.rate_limit.refusals", { policy: "unread" });
      const message = "You have not read what was sent to you before. Read those responses, then ask again.";
      return new ApiError("rate_limited", message, { retryAfter: 1 });
    }
    this.change(reader, bytes);
    response.once("close", () => this.change(reader, -bytes));
    return undefined;
  }

  private change(reader: string, bytes: number): void {
    const left = (this.bytesOf.get(reader) ?? 0) + bytes;
    if (left === 0) this.bytesOf.delete(reader);
    else this.bytesOf.set(reader, left);
  }
}
