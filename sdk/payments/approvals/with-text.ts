import { HalcyonError } from "../../api/errors";
import type { HeldPayment } from "../../api/resources/transfers";

/**
 * Puts the encrypted text of a payment awaiting approval beside its other fields.
 *
 * @throws HalcyonError `invalid_request` for a payment that was read without it
 */
export function withText<T extends Pick<HeldPayment, "encrypted">>(held: T): Omit<T, "encrypted"> & Text {
  const { encrypted, ...plain } = held;
  if (encrypted) return { ...plain, ...encrypted };
  throw new HalcyonError("invalid_request", "This payment has no encrypted text. Read it with `include=encrypted`.");
}

type Text = NonNullable<HeldPayment["encrypted"]>;
