import { generatePrivateKey } from "viem/accounts";
import { HalcyonError } from "../api/errors";
import { Halcyon } from "../client";
import type { HalcyonOptions } from "../context/platform/node-context";
import type { CreatedRequest } from "../payments/requests/create-request";
import { AMOUNT, eventually } from "./schedule-causes";

/**
 * How soon it expires. Tried in turn, because on a busy machine creating the request may take longer than the first.
 */
const SOON_MS = [3_000, 15_000, 60_000];

/** Creates a payment request of the account. */
export function aRequest(client: Halcyon): Promise<CreatedRequest> {
  return client.paymentRequests.create({ amount: AMOUNT, reference: "trigger" });
}

/** Creates a new account with money, because an account can't pay its own request. Its wallet is not kept. */
async function aPayer({ url, network, rpcUrl, configDir }: HalcyonOptions): Promise<Halcyon> {
  const payer = new Halcyon({ url, network, rpcUrl, configDir, walletKey: generatePrivateKey() });
  await payer.account.create({ handle: `trigger-${Math.random().toString(36).slice(2, 10)}` });
  await payer.testHelpers.faucet({ amount: "1" });
  await payer.balances.makeAvailable();
  return payer;
}

/** Has another account pay a payment request of this account; returns the request's id. */
export async function causeRequestPaid(client: Halcyon, settings: HalcyonOptions): Promise<string> {
  const { payment_request_id: id, link } = await aRequest(client);
  await (await aPayer(settings)).paymentRequests.pay(link, { most: AMOUNT });
  return id;
}

/** Creates a payment request that expires a few seconds later, and waits for its expiry. */
export async function expireRequest(client: Halcyon): Promise<void> {
  const { payment_request_id: id } = await expiringSoon(client);
  await eventually(async () => {
    const { status } = await client.paymentRequests.retrieve(id);
    return status === "expired" ? status : undefined;
  }, "The expiry");
}

async function expiringSoon(
  client: Halcyon,
  [soon = 0, ...later]: readonly number[] = SOON_MS,
): Promise<CreatedRequest> {
  try {
    return await client.paymentRequests.create({ amount: AMOUNT, expires: new Date(Date.now() + soon) });
  } catch (error) {
    // It had expired before it was created.
    if (later.length === 0 || !(error instanceof HalcyonError) || error.param !== "expires_at") throw error;
    return expiringSoon(client, later);
  }
}
