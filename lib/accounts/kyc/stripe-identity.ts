import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ApiError } from "@/lib/base/errors";
import { plainFetch } from "@/lib/base/plain-fetch";
import type { HostedCheck, HostedKycProvider } from "./provider";

/** How this service reaches Stripe Identity. */
interface StripeSettings {
  /** The API's URL without a trailing slash, for example https://api.stripe.com. */
  apiUrl: string;
  apiKey: string;
  webhookSecret: string;
}

const VERSION = "2025-08-27.basil";
const TRIES = 3;
const TRY_MS = 5_000;
const PAUSE_MS = 250;

const Session = z.object({
  id: z.string().regex(/^vs_[A-Za-z0-9]{1,250}$/),
  status: z.enum(["requires_input", "processing", "verified", "canceled"]),
  url: z.string().nullish(),
  options: z.object({ document: z.object({ require_matching_selfie: z.boolean().nullish() }).nullish() }).nullish(),
});

const Event = z.object({
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string() }) }),
});

/**
 * Returns a provider that verifies with Stripe Identity (https://docs.stripe.com/identity/verification-sessions). The
 * person shows a document and their face on Stripe's page. Stripe gets the account's id, and this service only the
 * outcome.
 */
export function stripeIdentity({ apiUrl, apiKey, webhookSecret }: StripeSettings): HostedKycProvider {
  const call = async (path: string, init: RequestInit = {}): Promise<HostedCheck> => {
    const headers = { authorization: `Bearer ${apiKey}`, "stripe-version": VERSION, ...init.headers };
    const response = await persistently(() =>
      plainFetch()(`${apiUrl}${path}`, { ...init, headers, redirect: "error", signal: AbortSignal.timeout(TRY_MS) }),
    );
    if (!response.ok) throw away(new Error(`the identity provider responded with ${response.status}`));
    const session = Session.safeParse(await response.json().catch(() => undefined));
    if (!session.success) throw away(session.error);
    return toCheck(session.data, apiUrl);
  };
  return {
    name: "stripe",
    start: ({ accountId, idempotencyKey, returnUrl }) =>
      call("/v1/identity/verification_sessions", {
        method: "POST",
        headers: { "idempotency-key": idempotencyKey },
        body: new URLSearchParams({
          type: "document",
          client_reference_id: accountId,
          return_url: returnUrl,
          "options[document][require_matching_selfie]": "true",
        }),
      }),
    read: (reference) => call(`/v1/identity/verification_sessions/${encodeURIComponent(reference)}`),
    referenceOf: (body, headers, now) => {
      if (!isSignedByStripe(headers.get("stripe-signature"), body, webhookSecret, now)) {
        throw new ApiError("unauthorized", "The signature is wrong or too old. Check the endpoint's signing secret.");
      }
      const event = Event.safeParse(JSON.parse(body));
      const isCheck = event.success && event.data.type.startsWith("identity.verification_session.");
      return isCheck ? event.data.data.object.id : undefined;
    },
  };
}

function toCheck({ id, status, url, options }: z.infer<typeof Session>, apiUrl: string): HostedCheck {
  switch (status) {
    case "requires_input":
      return {
        reference: id,
        state: "needs_input",
        status: "unverified",
        ...(url ? { url: pageOf(url, apiUrl) } : {}),
      };
    case "processing":
      return { reference: id, state: "processing", status: "pending" };
    case "verified": {
      const enhanced = options?.document?.require_matching_selfie === true;
      return { reference: id, state: "verified", status: enhanced ? "enhanced" : "verified" };
    }
    case "canceled":
      return { reference: id, state: "canceled", status: "unverified" };
  }
}

/**
 * Returns the page to which a browser may be sent: it must be https, unless it is on the host of the configured API,
 * which in tests is this machine.
 */
function pageOf(url: string, apiUrl: string): string {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || hostname === new URL(apiUrl).hostname) return url;
  throw away(new Error("the identity provider named a page that is not https"));
}

/** Retries if the provider did not respond, is busy or failed. Every call is safe to repeat. */
async function persistently(attempt: () => Promise<Response>): Promise<Response> {
  for (let tried = 1; ; tried += 1) {
    const outcome = await attempt().catch((cause) => away(cause));
    const again = outcome instanceof ApiError || [409, 429].includes(outcome.status) || outcome.status >= 500;
    if (!again || tried === TRIES) {
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (tried - 1)));
  }
}

function away(cause: unknown): ApiError {
  return new ApiError("unavailable", "The identity provider does not respond. Try again in a minute.", {
    retryAfter: 60,
    cause,
  });
}

const TOLERANCE_SECONDS = 300;

/**
 * Reports whether Stripe signed a webhook (https://docs.stripe.com/webhooks#verify-manually). `Stripe-Signature` holds
 * `t=<seconds>` and one or more `v1=<HMAC-SHA256 of "t.body", hex>`; more than one while the secret is being replaced.
 * A signature more than five minutes off is invalid, so that a recorded webhook can't be replayed later.
 */
function isSignedByStripe(header: string | null, body: string, secret: string, now: Date): boolean {
  const parts = (header ?? "").split(",").map((part) => part.trim().split("=", 2));
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest();
  return parts
    .filter(([name]) => name === "v1")
    .map(([, value = ""]) => Buffer.from(value, "hex"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
