import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf, timeText } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import type { Paged, PageInfo } from "../api/paged";
import { paged } from "../api/paged";
import type { PaymentRequest } from "../api/resources/payment-requests";
import type { CheckedRequestPayment, CheckRequestsInput } from "../payments/requests/check-requests";
import type { CreatedRequest } from "../payments/requests/create-request";
import type { DecryptedRequest } from "../payments/requests/decrypt-request";
import type { OpenedRequest } from "../payments/requests/open-request";
import type { PaidRequest, PayRequestInput } from "../payments/requests/pay-request";
import type { CreatePaymentRequestInput } from "../payments/requests/request-input";
import type { SendOptions } from "../payments/send";
import { Resource } from "./resource";

/** Filters for a list of payment requests, and its paging. */
export interface ListPaymentRequestsInput {
  /** Entries per page, 1 to 100. Default: 20. */
  limit?: number | undefined;
  offset?: number | undefined;
  /** Lists the requests that follow this one. */
  startingAfter?: string | undefined;
  /** `open`, `processing`, `paid`, `expired` or `cancelled`. */
  status?: PaymentRequest["status"] | undefined;
  reference?: string | undefined;
  /** Exclusive bounds: a Date, or an ISO 8601 string. */
  from?: Date | string | undefined;
  to?: Date | string | undefined;
}

/** A page of decrypted requests. */
export interface DecryptedRequestList extends PageInfo {
  /** Newest first. */
  payment_requests: DecryptedRequest[];
}

const CREATE: FieldsOf<CreatePaymentRequestInput> = {
  amount: "amount",
  asset: "text",
  note: "text",
  lines: "object",
  due: "text",
  number: "text",
  seller: "text",
  customer: "text",
  reference: "text",
  expires: "time",
};
const LIST: FieldsOf<ListPaymentRequestsInput> = {
  limit: "count",
  offset: "count",
  startingAfter: "text",
  status: "text",
  reference: "text",
  from: "time",
  to: "time",
};
const PAY: FieldsOf<PayRequestInput> = {
  from: "text",
  memo: "text",
  reference: "text",
  clientSigned: "flag",
  most: "amount",
};

const load = async () => (await import("./lazy-calls")).paymentRequests;

/**
 * Links that ask for a payment: `halcyon.paymentRequests`. Amount, note and lines are encrypted for those who have the
 * link; the service knows the payee, reference and expiry.
 */
export class PaymentRequestsResource extends Resource {
  /**
   * Creates a request and its link; with `lines`, the request is an invoice. Needs the wallet, or an API key of scopes
   * `requests` and `pay`, in which case the service signs the ciphertext.
   *
   * @example
   * const { link } = await halcyon.paymentRequests.create({ amount: "25", note: "Order 17", reference: "order-17" });
   * // https://…/pay/payreq_…#…
   * @throws HalcyonError `invalid_request` naming the field, `key_forbidden`
   */
  async create(input: CreatePaymentRequestInput, options?: CallOptions): Promise<CreatedRequest> {
    checkInput(input, CREATE);
    if (input.lines !== undefined && !Array.isArray(input.lines)) {
      throw new HalcyonError("invalid_request", "lines is a list of lines.", { param: "lines" });
    }
    for (const line of input.lines ?? []) checkInput(line, { text: "text!", quantity: "count", price: "amount!" });
    return (await load()).createRequest(this.context.within(options), input);
  }

  /**
   * Returns one of the account's requests, decrypted, with its link and the states of its payments. Needs the wallet,
   * or a viewing key and an API key of scope `read`.
   *
   * @throws HalcyonError `not_found`
   */
  async retrieve(id: string, options?: CallOptions): Promise<DecryptedRequest> {
    checkText("id", id);
    return (await load()).retrieveRequest(this.context.within(options), id);
  }

  /**
   * Lists the account's requests, decrypted, newest first.
   *
   * @example
   * for await (const { reference, status } of halcyon.paymentRequests.list({ status: "open" })) {
   *   console.log(reference, status);
   * }
   */
  list(input: ListPaymentRequestsInput = {}, options?: CallOptions): Paged<DecryptedRequestList, DecryptedRequest> {
    checkInput(input, LIST);
    const context = this.context.within(options);
    const read = async ({ startingAfter, from, to, ...rest }: ListPaymentRequestsInput) => {
      const query = { ...rest, starting_after: startingAfter, from: timeText(from), to: timeText(to) };
      return (await load()).listRequests(context, query);
    };
    const entries = (page: DecryptedRequestList) => page.payment_requests;
    return paged({ read, entries, id: ({ payment_request_id }) => payment_request_id }, input);
  }

  /**
   * Cancels an open request: the service accepts no payment for it from then on.
   *
   * @throws HalcyonError `not_found`; `payment_request_closed` when it is paid or expired, or when a payment for it is
   * not checked yet
   */
  async cancel(id: string, options?: CallOptions): Promise<DecryptedRequest> {
    checkText("id", id);
    return (await load()).cancelRequest(this.context.within(options), id, options?.idempotencyKey);
  }

  /**
   * Opens a link: verifies on chain that its payee signed the request, and returns what it asks for. Needs neither
   * wallet nor API key.
   *
   * @throws HalcyonError `invalid_request` with `param` `link` or `signature`: don't pay it; `not_found`
   */
  async open(link: string, options?: CallOptions): Promise<OpenedRequest> {
    checkText("link", link);
    return (await load()).openRequest(this.context.within(options), link);
  }

  /**
   * Pays what a link asks for and waits until the payment is final. Paying the same link again pays nothing more. An
   * agent's API key pays within its policy.
   *
   * @example
   * const link = "https://…/pay/payreq_…#…";
   * const { transfer } = await halcyon.paymentRequests.pay(link, { most: "30" });
   * @throws HalcyonError like `transfers.create`; `payment_request_closed`, `invalid_request`
   */
  async pay(link: string, input: PayRequestInput = {}, options: SendOptions = {}): Promise<PaidRequest> {
    checkText("link", link);
    checkInput(input, PAY);
    return (await load()).payRequest(this.context.within(options), link, input, options);
  }

  /**
   * Decrypts the payments of the account's requests, or of one request, compares each with the request and with the
   * chain, and reports the result to the service. A request that is paid in full becomes `paid`. Needs the wallet, or a
   * viewing key and an API key of scopes `read` and `requests`.
   *
   * @example
   * for (const { reference, status } of await halcyon.paymentRequests.check()) {
   *   if (status === "paid") console.log("ship", reference);
   * }
   */
  async check(input: CheckRequestsInput = {}, options?: CallOptions): Promise<CheckedRequestPayment[]> {
    checkInput(input, { id: "text" });
    return (await load()).checkRequests(this.context.within(options), input);
  }

  /**
   * Calls `check` repeatedly and yields each payment it reported. It ends when you stop iterating, or when the option
   * `signal` aborts.
   *
   * @param input seconds between two checks; default: 5
   */
  watch(
    input: { seconds?: number | undefined } = {},
    options?: CallOptions,
  ): AsyncIterable<CheckedRequestPayment> & Promise<void> {
    checkInput(input, { seconds: "count" });
    const context = this.context.within(options);
    async function* all() {
      yield* (await load()).watchRequests(context, input.seconds ?? 5);
    }
    return Object.assign(Promise.resolve(), { [Symbol.asyncIterator]: all });
  }
}
