import { z } from "zod";
import { ApiError } from "@/lib/base/errors";
import { plainFetch } from "@/lib/base/plain-fetch";

const Answer = z.object({ identifications: z.array(z.object({ category: z.string() })) });
const TRIES = 2;
const TRY_MS = 3_000;

/**
 * Reports whether an address is on a sanctions list that Chainalysis follows
 * (https://auth-developers.chainalysis.com/sanctions-screening). Chainalysis learns the address and nothing else about
 * the payment.
 *
 * @throws ApiError `unavailable` when Chainalysis does not respond: an address that was not screened is not paid
 */
export async function isSanctioned(
  { apiUrl, apiKey }: { apiUrl: string; apiKey: string },
  address: `0x${string}`,
): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    try {
      const response = await plainFetch()(`${apiUrl}/api/v1/address/${address}`, {
        headers: { "x-api-key": apiKey, accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(TRY_MS),
      });
      if (!response.ok) throw new Error(`the screening provider responded with ${response.status}`);
      return Answer.parse(await response.json()).identifications.length > 0;
    } catch (cause) {
      if (tried < TRIES) continue;
      throw new ApiError(
        "unavailable",
        "The recipient could not be screened. Nothing was paid. Try again in a minute.",
        {
          retryAfter: 60,
          cause,
        },
      );
    }
  }
}
