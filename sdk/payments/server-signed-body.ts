import { detailsBody } from "./payment-details";
import type { PrepareTransferInput } from "./prepare-transfer-input";

/** A payment whose recipient may be a seller over HTTP 402 that accepts only public payments. */
export interface MaybeExact {
  exact?: boolean | undefined;
}

/** Returns the body of `POST /v1/transfers` for a payment that the service signs, from the key's own account. */
export function serverSignedBody(input: Omit<PrepareTransferInput, "from"> & MaybeExact) {
  const { to, amount, memo } = input;
  return {
    to,
    amount,
    ...(input.asset !== undefined && { asset: input.asset }),
    ...(input.public && { confidential: false }),
    ...(input.exact && { exact: true }),
    ...(memo !== undefined && { memo }),
    ...detailsBody(input),
    ...(input.binding !== undefined && { binding: input.binding.toLowerCase() }),
  };
}
