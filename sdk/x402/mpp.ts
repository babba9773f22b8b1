import { Credential, Errors, Method, z } from "mppx";
import { HalcyonError } from "../api/errors";
import type { PayingScheme } from "./paying-scheme";
import type { SellingScheme } from "./selling-scheme";
import type { Verdict } from "./verifier";
import { networkName, type PaymentRequirements, readExtra, SCHEME } from "./wire";

/** The details of a challenge of the method `halcyon`: the ledger, and what ties a payment to this challenge. */
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

/**
 * The definition of the method, shared by both sides of MPP. `request` is public and contains the price in the token's
 * smallest units.
 */
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

type ChargeRequest = z.infer<(typeof definition)["schema"]["request"]>;

/**
 * Converts the terms to those of x402: both protocols share the binding, the verifier and the record of accepted
 * payments.
 */
function requirementsOf({ amount, currency, recipient }: ChargeRequest, chainId: number): PaymentRequirements {
  const terms = { asset: currency, amount, payTo: recipient, maxTimeoutSeconds: 60, extra: {} };
  return { scheme: SCHEME, network: networkName(chainId), ...terms };
}

/**
 * Returns the MPP method `halcyon`, intent `charge`, for a server of `mppx`. Checks payments in this process, like
 * `x402.seller`.
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
    /** Always creates a new challenge, so that the response to a refused payment contains an offer that can be paid. */
    async request({ request, capturedRequest }) {
      if (!capturedRequest) return request;
      const chainId = await scheme.chainId();
      const { method, url } = capturedRequest;
      const challenge = await scheme.challenge(requirementsOf(request, chainId), { method, url: url.href });
      return { ...request, methodDetails: { chainId, ...challenge } };
    },
    async broadcast({ credential, envelope, request }) {
      const offered = readExtra(credential.challenge.request.methodDetails);
      const asked = envelope?.capturedRequest;
      if (!offered || !asked) throw refused("invalid_payload");
      const at = { method: asked.method.toUpperCase(), resource: scheme.publicUrl(asked.url.href) };
      const requirements = requirementsOf(request, await scheme.chainId());
      const verdict = await scheme
        .checking()
        .check({ ...requirements, extra: { ...offered, ...at } }, credential.payload, "only")
        .catch((): Verdict => ({ fault: "payment_not_checked" }));
      if ("fault" in verdict) throw refused(verdict.fault);
      const timestamp = new Date().toISOString();
      return { status: "success", method: "halcyon", timestamp, reference: verdict.transaction ?? "" } as const;
    },
  });
}

const refused = (reason: string) => new Errors.VerificationFailedError({ reason });

/** How much one request may cost. */
export interface MppLimit {
  /** The highest price to pay, as a decimal string in `asset`. */
  max: string;
  /** Default: `USDG`. Offers in another asset are not paid. */
  asset?: string | undefined;
}

/**
 * Returns the MPP method `halcyon`, intent `charge`, for a client of `mppx`. Pays under the policy of the API key's
 * agent.
 *
 * @param scheme `await halcyon.x402.buyer()`; pass its `fetch` to `Mppx.create` as well
 * @example
 * const mppx = Mppx.create({ methods: [halcyonClient(buyer, { max: "0.10" })], fetch: buyer.fetch, polyfill: false });
 * const response = await mppx.fetch("https://api.example.com/report");
 */
export function halcyonClient(scheme: PayingScheme, { max, asset = "USDG" }: MppLimit) {
  return Method.toClient(definition, {
    async createCredential({ challenge }) {
      const { request } = challenge;
      const { methodDetails: details } = request;
      if (!details) throw new HalcyonError("invalid_request", "The offer can't be read. Nothing was paid.");
      const requirements = { ...requirementsOf(request, details.chainId), extra: { ...details } };
      if (!scheme.isAtMost(requirements, max, asset)) {
        const message = `The price is more than max, or in another asset than ${asset}. Nothing was paid.`;
        throw new HalcyonError("invalid_request", message, { param: "max" });
      }
      const { payload } = await scheme.createPaymentPayload(2, requirements);
      return Credential.serialize({ challenge, payload });
    },
  });
}
