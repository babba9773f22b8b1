import { AsyncLocalStorage } from "node:async_hooks";
import { machineFetch } from "@/lib/base/machine-fetch";
import { utf8 } from "@/lib/ledger/crypto/bytes";
import { ApiCallError, HalcyonError, NoResponse } from "../api/errors";
import type { Transfer } from "../api/resources/transfers";
import type { Halcyon } from "../client";
import type { RefundInput } from "../payments/refunds/refund-by-key";
import type { SendInput } from "../payments/send";
import { errorResponse, jsonResponse, notBuiltHere, type ProxyResponse, serviceAway } from "./proxy-response";

/** The body of `POST /v1/transfers` that names an amount. */
export type PlainBody = Record<string, unknown>;

/** The fields that a payment is built from. */
const FIELDS = new Set([
  ...["to", "from", "amount", "asset", "confidential", "memo"],
  ...["reference", "unique_reference", "payment_request", "binding"],
]);
/** The fields that a refund is built from. Its asset is that of the payment. */
const REFUND_FIELDS = new Set(["refund_of", "amount", "asset", "confidential", "memo", "reference"]);
/** Fields of payments that only a plain key makes. */
const OTHERS = { exact: "pay sellers of the scheme `exact`", schedule_run: "pay schedules" };

/** The service's last response to a request that a client made while it built one payment. */
interface Heard {
  path: string;
  status: number;
  headers: Headers;
  body: string;
}

const hearing = new AsyncLocalStorage<{ last?: Heard }>();

/** A `fetch` that remembers, for the payment that is being built, what the service responded last. */
export const listeningFetch: typeof fetch = async (input, init) => {
  const response = await machineFetch(input, init);
  const heard = hearing.getStore();
  const path = new URL(input instanceof Request ? input.url : String(input)).pathname;
  // A list is at the same path.
  if (
    !heard ||
    init?.method !== "POST" ||
    !/\/v1\/(transfers(\/plan)?|agents\/transactions\/[^/]+\/approve)$/.test(path)
  )
    return response;
  const body = await response.text();
  heard.last = { path, status: response.status, headers: response.headers, body };
  return new Response(body || null, response);
};

/** Headers of the service's response that go on to the caller. */
const KEPT = /^(content-type|cache-control|retry-after|www-authenticate|x-request-id|idempotent-replayed|ratelimit.*)$/;

function asHeard({ status, headers, body }: Heard): ProxyResponse {
  return { status, headers: Object.fromEntries([...headers].filter(([name]) => KEPT.test(name))), body };
}

/** Says that the home key with which a payment was tried is not the API key's. Nothing was sent. */
export class OtherHomeKey extends Error {}

/** A client of one pair of keys. */
export type ProxyClient = Pick<Halcyon, "transfers" | "approvals" | "payouts">;

/** Reads what a caller asks for. */
export function inputOf(body: PlainBody): SendInput {
  for (const [field, what] of Object.entries(OTHERS)) {
    if (body[field] !== undefined && body[field] !== false) throw notBuiltHere(what);
  }
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field) && !(field in OTHERS));
  if (unknown !== undefined) {
    throw new HalcyonError("invalid_request", "This field is not known.", { param: unknown });
  }
  const { confidential = true, unique_reference, payment_request, ...rest } = body;
  if (typeof confidential !== "boolean") {
    throw new HalcyonError("invalid_request", "confidential is true or false.", { param: "confidential" });
  }
  checkLength(body, "memo", 512, "A memo has at most 512 bytes of UTF-8.");
  checkLength(body, "reference", 64, "reference has 1 to 64 characters.");
  const named = { uniqueReference: unique_reference, paymentRequest: payment_request, public: !confidential };
  // The client checks each field's form.
  return Object.fromEntries(
    Object.entries({ ...rest, ...named }).filter(([, value]) => value !== undefined),
  ) as unknown as SendInput;
}

/** Checks what the service would, also of a payment that is only tried. The client checks the rest. */
function checkLength(body: PlainBody, param: "memo" | "reference", most: number, message: string): void {
  const value = body[param];
  if (typeof value !== "string") return;
  const length = param === "memo" ? utf8(value).length : value.length;
  if (length > most) throw new HalcyonError("invalid_request", message, { param });
}

/** Reads the refund that a caller asks for; null for another payment. */
export function refundOf(body: PlainBody): { of: string; asset: unknown; input: RefundInput } | null {
  const { refund_of: of, asset = "USDG", confidential = true, ...input } = body;
  if (of === undefined) return null;
  if (Object.keys(body).some((field) => !REFUND_FIELDS.has(field)) || confidential !== true) {
    throw notBuiltHere("pay refunds with other fields than amount, memo and reference");
  }
  return { of: String(of), asset, input: input as RefundInput };
}

/**
 * Makes a payment on this machine, or with `dryRun` tries it, and returns the service's own response to it. A request
 * that was paid before gets the transfer that it made, as the service would repeat its response.
 *
 * @throws OtherHomeKey
 */
export function buildTransfer(
  client: ProxyClient,
  body: PlainBody,
  { idempotencyKey, service, dryRun }: { idempotencyKey: string; service: string; dryRun?: boolean },
): Promise<ProxyResponse> {
  return answered(service, async (heard) => {
    const refund = refundOf(body);
    if (dryRun && refund) throw notBuiltHere("make dry runs of refunds");
    if (dryRun) return jsonResponse(200, await client.transfers.dryRun(inputOf(body)));
    const options = { idempotencyKey, wait: false } as const;
    if (refund && (await client.transfers.get(refund.of)).asset !== refund.asset) {
      throw new HalcyonError("invalid_request", "A refund is in the asset of the payment.", { param: "asset" });
    }
    const transfer = refund
      ? await client.transfers.refund(refund.of, refund.input, options)
      : await client.transfers.create(inputOf(body), options);
    const { last } = heard;
    if (last && last.status < 300 && last.path.endsWith("/v1/transfers")) return asHeard(last);
    // It was made together with others. What the chain shows already is confirmed.
    if ("transfer_id" in transfer && transfer.transfer_id && transfer.status === "pending") {
      return jsonResponse(201, transfer);
    }
    return earlier(client, transfer as Partial<Transfer>);
  });
}

/**
 * Approves an agent's payment on this machine, and returns the service's own response to it.
 *
 * @throws OtherHomeKey
 */
export function buildApproval(
  client: ProxyClient,
  id: string,
  { idempotencyKey, service }: { idempotencyKey: string; service: string },
): Promise<ProxyResponse> {
  return answered(service, async (heard) => {
    const decided = await client.approvals.approve(id, { idempotencyKey, wait: false });
    const { last } = heard;
    return last && last.status < 300 && last.path.endsWith("/approve") ? asHeard(last) : jsonResponse(200, decided);
  });
}

/**
 * Returns the response to what is built on this machine: the service's own error if there was one.
 *
 * @throws OtherHomeKey
 */
export async function answered(
  service: string,
  build: (heard: { last?: Heard }) => Promise<ProxyResponse>,
): Promise<ProxyResponse> {
  const heard: { last?: Heard } = {};
  return hearing.run(heard, async () => {
    try {
      return await build(heard);
    } catch (error) {
      const { last } = heard;
      if (isOfOther(error, last)) throw new OtherHomeKey();
      // The service's own error, as it wrote it.
      if (error instanceof ApiCallError && last && last.status === error.status && last.body.includes(error.code)) {
        return stillOpen(asHeard(last), error);
      }
      if (error instanceof NoResponse && error.neverArrived) return errorResponse(serviceAway(service), service);
      return errorResponse(error, service);
    }
  });
}

/** Says in a header until when the service could still sign what it has refused. The body stays the service's own. */
function stillOpen(response: ProxyResponse, { mayHappenUntil: until }: HalcyonError): ProxyResponse {
  return until === undefined ? response : { ...response, headers: { ...response.headers, "may-happen-until": until } };
}

/** The service names a request that it can't believe: its home key is another's. */
function isOfOther(error: unknown, last: Heard | undefined): boolean {
  if (!(error instanceof HalcyonError) || error.code !== "key_forbidden") return false;
  return last?.status === 403 && last.path.endsWith("/plan") && last.body.includes("not signed by the home key");
}

/** Returns the transfer of a request whose payment the chain shows already. */
async function earlier(client: ProxyClient, paid: Partial<Transfer>): Promise<ProxyResponse> {
  const { transfers } = await client.transfers.list({ direction: "sent", limit: 100 });
  const found = transfers.find(({ transfer_id }) => transfer_id === paid.transfer_id);
  if (found) return jsonResponse(201, found, { "idempotent-replayed": "true" });
  throw new HalcyonError(
    "unavailable",
    "This request was paid, as the chain shows, and the service does not list its transfer yet. Repeat it.",
    { retryAfter: 1 },
  );
}
