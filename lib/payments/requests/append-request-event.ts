import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import type { ChainId } from "@/lib/base/network";
import { appendEvents, type NewEvent } from "@/lib/events/append-events";
import type { PaymentRequestRow } from "./find-payment-request";

/** A change of a request. `transferId` is the payment it is about. */
type RequestNews =
  | { type: "payment_request.payment_received" | "payment_request.paid"; transferId: string }
  | { type: "payment_request.expired" | "payment_request.cancelled" };

type About = Pick<PaymentRequestRow, "id" | "accountId" | "chainId" | "reference">;

function eventOf(row: About, news: RequestNews, subject: NewEvent["subject"]): NewEvent {
  const about = { chainId: row.chainId as ChainId, subject };
  const payload = { payment_request_id: row.id, reference: row.reference };
  switch (news.type) {
    case "payment_request.payment_received":
      return {
        ...about,
        type: news.type,
        payload: { ...payload, transfer_id: news.transferId, amount_checked: false },
      };
    case "payment_request.paid":
      return { ...about, type: news.type, payload: { ...payload, transfer_id: news.transferId } };
    case "payment_request.expired":
    case "payment_request.cancelled":
      return { ...about, type: news.type, payload };
  }
}

/** Appends an event of a request for its payee. Call it in the transaction of the change. */
export async function appendRequestEvent(tx: Tx, row: About, news: RequestNews, now: Date): Promise<void> {
  const [payee] = await tx
    .select({ id: accounts.id, handle: accounts.handle })
    .from(accounts)
    .where(eq(accounts.id, row.accountId));
  if (!payee) throw new Error("a payment request has no account");
  await appendEvents(tx, [eventOf(row, news, { ...payee, rootId: payee.id })], now);
}
