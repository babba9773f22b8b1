import { HalcyonError } from "../api/errors";
import type { DecryptedRequest } from "../payments/requests/decrypt-request";
import type { OpenedRequest } from "../payments/requests/open-request";
import type { PaidRequest } from "../payments/requests/pay-request";
import type { InvoiceLine } from "../payments/requests/request-input";
import type { ListPaymentRequestsInput } from "../resources/payment-requests-resource";
import { amountText } from "./amount-option";
import { KEY } from "./idempotency-key-option";
import { type ListOptions, listOptions } from "./listing";
import { expiryOf, parseInstant } from "./option-values";
import { time } from "./output";
import type { AddCommand } from "./program";
import { showChecked, showOwn, showPaid, showRequest, statusOf } from "./request-text";
import { withExamples } from "./with-examples";

const REQUEST = "payreq_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";
const LINK = `http://localhost:3000/pay/${REQUEST}#m7Yw0kq1Zr8tH2nV5cX9bL4sD6fG3jK0pQ8wE2rT4yU`;

/** Parses a line such as `2x10.50:Chair` or `4:Delivery`: quantity, unit price and text. */
function line(text: string, before: InvoiceLine[] = []): InvoiceLine[] {
  const [, count, price, what] = /^(?:([0-9]+)x)?([0-9.]+):(.+)$/.exec(text.trim()) ?? [];
  if (!price || !what) {
    throw new HalcyonError("invalid_request", 'A line is written as "10.50:Chair" or "2x10.50:Chair".', {
      param: "line",
    });
  }
  return [...before, { text: what, price, ...(count !== undefined && { quantity: Number(count) }) }];
}

/** `request create`, `list`, `show`, `cancel`, `pay`, `check`. */
export const requestCommands: AddCommand = (program, reports) => {
  const request = withExamples(
    program.command("request").description("payment requests and invoices: links that ask for a payment"),
    "request create --amount 25 --note Lunch",
    "request check",
  );

  const create = withExamples(
    request
      .command("create")
      .description("create a request and its link; amount, note and lines are encrypted for those who have it")
      .option("--amount <amount>", "what to ask for; of an invoice the sum of its lines", amountText)
      .option("--asset <asset>", "asset", "USDG")
      .option("--note <text>", "for the payer")
      .option("--line <line>", 'a line of an invoice: "2x10.50:Chair"; may be repeated', line)
      .option("--due <date>", "of an invoice: 2026-12-31")
      .option("--number <text>", "of an invoice")
      .option("--seller <text>", "of an invoice: who asks")
      .option("--customer <text>", "of an invoice: who is asked")
      .option("--reference <text>", "your own reference, which the service can read")
      .option("--expires <time>", "7d, 12h or a time, at most 366 days ahead (default: 30d)", expiryOf),
    "request create --amount 25 --note Lunch --reference order-17",
    "request create --line 2x10.50:Chair --line 4:Delivery --due 2026-12-31",
  );
  create.action(() =>
    reports.withClient(
      create,
      ({ paymentRequests }) => {
        const { line: rows, ...input } = create.opts<Record<string, never> & { line?: InvoiceLine[] }>();
        return paymentRequests.create({ ...input, ...(rows && { lines: rows }) });
      },
      ({ link, reference, expires_at }) =>
        `${link}\n\nAnyone with this link sees what it asks for and can pay it until ${time(expires_at)}.${
          reference ? ` Reference: ${reference}.` : ""
        }`,
    ),
  );

  const list = withExamples(
    listOptions(
      request
        .command("list")
        .description("the account's requests, newest first")
        .option("--status <status>", "open, processing, paid, expired or cancelled")
        .option("--reference <text>", "only with this reference")
        .option("--from <time>", "only those created after this time, such as 2026-11-21", parseInstant)
        .option("--to <time>", "only those created before this time", parseInstant),
    ),
    "request list --status processing",
  );
  list.action(() =>
    reports.listing(
      list,
      ({ paymentRequests }, page) => {
        const { status, reference, from, to } = list.opts<ListOptions & ListPaymentRequestsInput>();
        return paymentRequests.list({ ...page, status, reference, from, to });
      },
      {
        name: "payment_requests",
        headings: ["request", "created", "status", "amount", "reference", "payments"],
        row: (request: DecryptedRequest) => [
          request.payment_request_id,
          time(request.created_at),
          statusOf(request),
          request.details && `${request.details.amount} ${request.asset}`,
          request.reference,
          String(request.payments.length),
        ],
        none: "There are no payment requests yet. Create one with `halcyon request create --amount 25`.",
        columns: [
          "payment_request_id",
          "created_at",
          "status",
          "amount",
          "asset",
          "reference",
          "expires_at",
          "paid_by",
        ],
        record: ({ payment_request_id, created_at, status, details, asset, reference, expires_at, paid_by }) => [
          payment_request_id,
          created_at,
          status,
          details?.amount ?? "",
          asset,
          reference ?? "",
          expires_at,
          paid_by ?? "",
        ],
      },
    ),
  );

  const show = withExamples(
    request
      .command("show")
      .description("one of the account's requests, with its link and the states of its payments")
      .argument("<id>", "payreq_…"),
    `request show ${REQUEST}`,
  );
  show.action((id: string) => reports.withClient(show, (client) => client.paymentRequests.retrieve(id), showOwn));

  const cancel = withExamples(
    request.command("cancel").description("take no payment for an open request any more").argument("<id>", "payreq_…"),
    `request cancel ${REQUEST}`,
  );
  cancel.action((id: string) => reports.withClient(cancel, (client) => client.paymentRequests.cancel(id), showOwn));

  const pay = withExamples(
    request
      .command("pay")
      .description("pay a request; without --yes, shows what it asks for once the chain has confirmed who signed it")
      .argument("<link>", "the whole link, with all that follows #")
      .option("--yes", "pay it")
      .option("--most <amount>", "refuse to pay more than this", amountText)
      .option("--from <agent>", "pay from one of your agents, within its policy")
      .option("--memo <text>", "a text that only you and the payee can decrypt")
      .option("--reference <text>", "your own reference, which the payee and the service can read")
      .option(...KEY),
    `request pay ${LINK}`,
    `request pay ${LINK} --yes --most 30`,
  );
  pay.action((link: string) =>
    reports.withClient<OpenedRequest | PaidRequest>(
      pay,
      ({ paymentRequests }) => {
        const { yes, idempotencyKey, ...input } = pay.opts<{ yes?: boolean; idempotencyKey?: string; most?: string }>();
        if (!yes) return paymentRequests.open(link);
        return paymentRequests.pay(link, input, idempotencyKey === undefined ? {} : { idempotencyKey });
      },
      (result) => ("transfer" in result ? showPaid(result) : showRequest(result)),
    ),
  );

  const check = withExamples(
    request
      .command("check")
      .description("decrypt payments of requests, compare them with what was asked for, and report them")
      .argument("[id]", "one request; all that have a payment to check when left out"),
    "request check",
  );
  check.action((id?: string) =>
    reports.withClient(check, (client) => client.paymentRequests.check({ id }), showChecked),
  );
};
