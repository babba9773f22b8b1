import type { SealedTransfer } from "./api-types";
import type { Context } from "./context";
import { ApiCallError, ServiceUnreachable } from "./errors";
import type { Party } from "./party";
import type { Transfer } from "./resources";
import type { SessionCalls } from "./session-calls";

const TRIES = 3;

interface Body {
  prepared: { new_budget: string };
  lease_token?: string;
}

/** The transfer a document has become, if the service recorded it. */
async function recorded(session: SessionCalls, { prepared }: Body, query: Party["query"]) {
  const { transfers } = await session.get<{ transfers: SealedTransfer[] }>("/api/transfers", { ...query, limit: 100 });
  return transfers.find(({ new_word }) => new_word === prepared.new_budget);
}

/** Whether an answer does not tell what became of the payment. */
function isLost(error: unknown): boolean {
  return error instanceof ServiceUnreachable || (error instanceof ApiCallError && error.status >= 500);
}

function isOutdated(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === "budget_changed";
}

/**
 * Posts a prepared payment over the wallet's session. After a broken connection the same document goes out again: it
 * pays at most once, for the budget it starts from is gone once it has; and a refusal for that reason is looked up, so
 * that a payment whose answer was lost is not prepared anew and paid twice.
 */
export async function postPrepared(
  context: Context,
  path: "/api/transfers" | "/api/withdrawals",
  body: Body,
  query: Party["query"],
): Promise<Transfer> {
  const session = await context.session();
  for (let attempt = 1; ; attempt++) {
    try {
      return await session.post<Transfer>(path, body, query);
    } catch (error) {
      const done = attempt > 1 && isOutdated(error) ? await recorded(session, body, query) : undefined;
      if (done) return done;
      if (!isLost(error) || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
    }
  }
}
