import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { type SellingOptions, SellingScheme } from "./selling-scheme";

/** Creates the scheme for sellers, after checking that the service responds. */
export async function sellerOf(context: Context, options: SellingOptions): Promise<SellingScheme> {
  const { claims } = options ?? {};
  if (claims !== undefined && (typeof claims.claim !== "function" || typeof claims.has !== "function")) {
    throw new HalcyonError(
      "invalid_request",
      "claims is memoryClaims(), fileClaims(folder) or postgresClaims(query).",
      {
        param: "claims",
      },
    );
  }
  await context.info();
  return new SellingScheme(context, options ?? {});
}
