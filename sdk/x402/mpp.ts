import { Credential, Errors, Method, z } from "mppx";
import type { PayingScheme } from "./paying-scheme";
import type { SellingScheme } from "./selling-scheme";
import { networkName, type PaymentRequirements, readExtra, SCHEME } from "./wire";

/** Of a challenge of the method `halcyon`: the ledger, and what ties a payment to this challenge. */
const methodDetails = z.object({
  chainId: z.number(),
  ledger: z.string(),
  method: z.string(),
  resource: z.string(),
  nonce: z.string(),
  expires: z.number(),
  proof: z.string(),
  modes: z.array(z.string()),
});

/** What both sides of MPP know of the method: `request` is public, and has the price in the token's smallest units. */
const definition = Method.from({
  name: "halcyon",
  intent: "charge",
  schema: {
    credential: {
      payload: z.looseObject({ mode: z.string(), nonce: z.string(), expires: z.number(), proof: z.string() }),
    },
    request: z.object({
      amount: z.string(),
      currency: z.string(),
      recipient: z.string(),
      methodDetails: z.optional(methodDetails),
    }),
  },
});

interface ChargeRequest {
  amount: string;
  currency: string;
  recipient: string;
  methodDetails?: z.infer<typeof methodDetails> | undefined;
}

/** The terms as x402 has them: both protocols share binding, verifier and record of taken payments. */
function requirementsOf({ amount, currency, recipient }: ChargeRequest, chainId: number): PaymentRequirements {
  const terms = { asset: currency, amount, payTo: recipient, maxTimeoutSeconds: 60, extra: {} };
  return { scheme: SCHEME, network: networkName(chainId), ...terms };
}

/**
 * MPP, method `halcyon`, intent `charge`, for a server of `mppx`. Payments are checked in this process, as `x402.seller` does.
 *
 * @param scheme `await halcyon.x402.seller({ claims })`
 * @param defaults `recipient` is the account of the viewing key, `currency` the token's address
 * @example
 * const mppx = Mppx.create({ methods: [halcyonServer(selling, { currency, recipient })], secretKey });
 * const paid = await mppx.charge({ amount: "50000" })(request);
 */
export function halcyonServer(scheme: SellingScheme, defaults: { currency: string; recipient: string }) {
  return Method.toServer<typeof definition, { currency: string; recipient: string }>(definition, {
    defaults,
    async request({ request, credential, capturedRequest }) {
      const presented = readExtra(detailsIn(credential?.challenge.request));
      if (presented || !capturedRequest) return request;
      const { chainId } = await scheme.network();
      const { method, url } = capturedRequest;
      const requirements = requirementsOf(request, chainId);
      return { ...request, methodDetails: { chainId, ...(await scheme.challenge(requirements, method, url.href)) } };
    },
    async broadcast({ credential, envelope, request }) {
      const offered = readExtra(detailsIn(credential.challenge.request));
      const asked = envelope?.capturedRequest;
      if (!offered || !asked) throw new Errors.VerificationFailedError({ reason: "invalid_payload" });
      const { chainId } = await scheme.network();
      const at = { method: asked.method.toUpperCase(), resource: scheme.publicUrl(asked.url.href) };
      const requirements = { ...requirementsOf(request, chainId), extra: { ...offered, ...at } };
      const verdict = await scheme.checking().check(requirements, credential.payload, "only");
      if ("fault" in verdict) throw new Errors.VerificationFailedError({ reason: verdict.fault });
      const timestamp = new Date().toISOString();
      return { status: "success", method: "halcyon", timestamp, reference: verdict.transaction ?? "" } as const;
    },
  });
}

function detailsIn(request: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  return request?.methodDetails as Record<string, unknown> | undefined;
}

/**
 * MPP, method `halcyon`, intent `charge`, for a client of `mppx`. Pays under the policy of the API key's agent.
 *
 * @param scheme `await halcyon.x402.buyer()`; give its `fetch` to `Mppx.create` as well
 * @param max the highest price, in the token's smallest units
 * @example
 * const mppx = Mppx.create({ methods: [halcyonClient(buyer, "100000")], fetch: buyer.fetch, polyfill: false });
 * const response = await mppx.fetch("https://api.example.com/report");
 */
export function halcyonClient(scheme: PayingScheme, max: string) {
  return Method.toClient(definition, {
    async createCredential({ challenge }) {
      const { request } = challenge;
      const { methodDetails: details } = request;
      if (!details) throw new Error("The challenge has no method details. Nothing was paid.");
      if (BigInt(request.amount) > BigInt(max)) throw new Error("The price is more than max. Nothing was paid.");
      const requirements = { ...requirementsOf(request, details.chainId), extra: { ...details } };
      const { payload } = await scheme.createPaymentPayload(2, requirements);
      return Credential.serialize({ challenge, payload });
    },
  });
}
