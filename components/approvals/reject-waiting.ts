import { messageOf } from "@/components/api/message-of";
import { HalcyonError } from "@/sdk/api/errors";

/** What the service rejected of those that wait; it takes a bounded number at a time. */
export interface Rejected {
  rejected: number;
  has_more: boolean;
}

/** Some were rejected before it failed. */
export class PartlyRejected extends HalcyonError {
  override readonly name = "PartlyRejected";
  constructor(rejected: number, cause: unknown) {
    super("unavailable", `${inWords(rejected)} before this failed; the others still wait. ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** `1,200 payments were rejected`. */
function inWords(count: number): string {
  return count === 1 ? "1 payment was rejected" : `${count.toLocaleString("en-US")} payments were rejected`;
}

/**
 * Rejects what waits until nothing more does, page by page.
 *
 * @param reject rejects the next of them
 * @param onReached called after each page with the number rejected so far
 * @returns how many were rejected
 * @throws PartlyRejected when it fails after the first page
 */
export async function rejectWaiting(
  reject: () => Promise<Rejected>,
  onReached: (rejected: number) => void,
): Promise<number> {
  for (let reached = 0; ; ) {
    const page = await reject().catch((error: unknown) => {
      throw reached > 0 ? new PartlyRejected(reached, error) : error;
    });
    reached += page.rejected;
    onReached(reached);
    // What someone else decides at this moment is not ours to wait for.
    if (!page.has_more || page.rejected === 0) return reached;
  }
}
