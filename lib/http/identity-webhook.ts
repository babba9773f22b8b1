import { fetchCheck } from "@/lib/accounts/kyc/fetch-check";
import type { HostedKycProvider } from "@/lib/accounts/kyc/provider";
import { clientAddressOf } from "@/lib/base/client-address";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { failure } from "./failure";
import { type LimitHeaders, limitAddress } from "./limits";
import { readJsonBody } from "./read-json-body";

/**
 * Returns a route that receives webhooks of the identity provider. It looks nothing up before the signature is
 * verified, and stores nothing of the webhook: it asks the provider for the state of the check.
 */
export function identityWebhook(providerNow: () => HostedKycProvider | undefined) {
  return async (request: Request): Promise<Response> => {
    const requestId = newId("request");
    const limits: LimitHeaders = {};
    noteRequest({ requestId });
    try {
      const provider = providerNow();
      if (!provider) throw new ApiError("not_found", "This installation has no identity provider.");
      await limitAddress("public", clientAddressOf(request.headers), limits);
      const { text } = await readJsonBody(request);
      const reference = provider.referenceOf(text, request.headers, new Date());
      if (reference !== undefined) await fetchCheck(provider, reference);
      return new Response(null, { status: 204, headers: { "cache-control": "no-store", "x-request-id": requestId } });
    } catch (thrown) {
      return failure(thrown, requestId, "POST /api/kyc/webhook", limits);
    }
  };
}
