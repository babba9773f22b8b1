/* A server of its own, for tests of what processes share: it pays with an API key as its parent asks, until it is killed. */
import { authenticateKey } from "@/lib/auth/authenticate-key";
import { ApiError } from "@/lib/errors";
import { createTransfer } from "@/lib/transfers/create-transfer";
import type { PaymentAnswer, PaymentOrder } from "./paying-server";

async function answerTo({ id, apiKey, to, amount, at }: PaymentOrder): Promise<PaymentAnswer> {
  try {
    const key = await authenticateKey(`Bearer ${apiKey}`, { requestId: "test", clientAddress: null }, "secret");
    const body = { to, amount, asset: "USDG" as const, confidential: true };
    const { outcome } = await createTransfer(key.context, body, undefined, { clock: () => new Date(at) });
    return { id, outcome };
  } catch (error) {
    return { id, outcome: error instanceof ApiError ? (error.reason ?? error.code) : String(error) };
  }
}

process.on("message", (order: PaymentOrder) => {
  answerTo(order).then((answer) => process.send?.(answer));
});
