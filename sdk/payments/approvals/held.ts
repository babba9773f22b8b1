import { findAgent } from "../../account/agents";
import type { CallOptions } from "../../api/call-options";
import { HalcyonError } from "../../api/errors";
import { PAGE, type PageInput } from "../../api/paged";
import { requireSameId } from "../../api/require-same-id";
import type { DecidedPayment, HeldPaymentDetails, PendingList } from "../../api/resources/approvals";
import { callApi, keyFirst } from "../../context/call-api";
import type { Context } from "../../context/context";

/** Filters for a list of payments awaiting approval, and its paging. */
export interface PendingInput extends PageInput {
  /** Only payments with exactly this reference. */
  reference?: string | undefined;
  /** Name or handle of one agent. Default: all agents. */
  agent?: string | undefined;
}

/** The fields of {@link PendingInput}. */
export const PENDING = { ...PAGE, reference: "text", agent: "text" } as const;

/** {@link PendingInput} in the API's form. */
export type PendingQuery = Omit<PendingInput, "startingAfter"> & { starting_after?: string | undefined };

/** Reads a page with the caller's credential. */
export function readWaitingPage(
  context: Context,
  query: PendingQuery & { include?: "encrypted" | undefined },
): Promise<PendingList> {
  return callApi<PendingList>(context, "GET", "/v1/agents/transactions/pending", { query: { ...query } });
}

/**
 * Returns one payment awaiting approval and its outcome, without its amount. An agent's key sees only the agent's own
 * payments.
 *
 * @throws HalcyonError `transaction_not_found`
 */
export function heldPayment(context: Context, id: string): Promise<HeldPaymentDetails> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}` as const;
  return requireSameId(
    "transaction_id",
    id,
    callApi<HeldPaymentDetails>(context, "GET", path, { by: keyFirst(context) }),
  );
}

/** Rejects a payment awaiting approval. No money moves. */
export function reject(context: Context, id: string, options?: CallOptions): Promise<DecidedPayment> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}/reject` as const;
  const asked = callApi<DecidedPayment>(context, "POST", path, { json: {}, idempotencyKey: options?.idempotencyKey });
  return requireSameId("transaction_id", id, asked, true);
}

/** Rejects all payments awaiting approval. Implements `approvals.rejectAll`. */
export async function rejectAll(context: Context, { agent }: { agent?: string } = {}): Promise<{ rejected: number }> {
  const named = agent === undefined ? undefined : (await findAgent(context, agent)).account_id;
  if (!context.hasWallet) return rejectEach(context, named);
  const session = await context.session();
  for (let rejected = 0; ; ) {
    const done = await session.post<{ rejected: number; has_more: boolean }>("/api/agents/transactions/reject", {
      agent: named,
    });
    rejected += done.rejected;
    // Stop when nothing is left to reject: what others are deciding right now doesn't concern this call.
    if (!done.has_more || done.rejected === 0) return { rejected };
  }
}

/** With an API key, rejects one by one: the API has no call for all of them. */
async function rejectEach(context: Context, agent: string | undefined): Promise<{ rejected: number }> {
  for (let rejected = 0; ; ) {
    const page = await readWaitingPage(context, { limit: 100, agent });
    const before = rejected;
    for (const { transaction_id } of page.pending) {
      const gone = (error: unknown) => error instanceof HalcyonError && /^transaction_/.test(error.code);
      await reject(context, transaction_id).then(
        () => {
          rejected += 1;
        },
        (error) => {
          if (!gone(error)) throw error;
        },
      );
    }
    if (!page.has_more || rejected === before) return { rejected };
  }
}
