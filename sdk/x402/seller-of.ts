import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { type SellingOptions, SellingScheme } from "./selling-scheme";

/** The scheme for sellers, once it is known that the service responds. */
export async function sellerOf(context: Context, options: SellingOptions): Promise<SellingScheme> {
  if (typeof options?.claims?.claim !== "function") {
    throw new HalcyonError("invalid_request", "claims is missing: memoryClaims() or postgresClaims(query).", {
      param: "claims",
    });
  }
  await context.info();
  return new SellingScheme(context, options);
}
