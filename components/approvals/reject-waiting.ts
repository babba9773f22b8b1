import { describeError } from "@/components/api/describe-error";
import { isUnknown } from "@/components/api/unknown-outcome";
import { writtenCount } from "@/components/ui/count";
import { HalcyonError } from "@/sdk/api/errors";

/** What the service rejected in one call. Each call rejects a limited number. */
export interface Rejected {
  rejected: number;
  has_more: boolean;
}

/** Thrown if some payments were rejected before a call failed. */
class PartlyRejected extends HalcyonError {
  override readonly name = "PartlyRejected";
  constructor(rejected: number, cause: unknown) {
    const others = isUnknown(cause) ? "" : "; the others still wait";
    super("unavailable", `${inWords(rejected)} before this failed${others}. ${describeError(cause).message}`, {
      cause,
    });
  }
}

/** Returns a sentence such as `1,200 payments were rejected`. */
function inWords(count: number): string {
  return count === 1 ? "1 payment was rejected" : `${writtenCount(count)} payments were rejected`;
}

/**
 * Rejects waiting payments page by page until none are left.
 *
 * @param reject rejects the next page
 * @param onReached called after each page with the number rejected so far
 * @returns how many were rejected
 * @throws PartlyRejected if a call after the first one fails
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
    // Stop if nothing was rejected: someone else is deciding the rest.
    if (!page.has_more || page.rejected === 0) return reached;
  }
}
