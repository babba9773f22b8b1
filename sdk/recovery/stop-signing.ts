import { zeroAddress } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Operation } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { relayOrSend } from "../context/relay-or-send";
import { signDraft } from "../context/sign-draft";
import { caughtUp } from "../payments/attempts/settle";

/**
 * Leaves the account without a payment key: from then on only the wallet itself signs for it. Needs no keys, so it works
 * while locked. The service sends the transaction, or else the wallet. Resolves once the service has seen it too.
 */
export async function stopSigning(context: Context): Promise<void> {
  const [session, scope, chain] = await Promise.all([context.session(), context.scope(), context.chain()]);
  const account = lowerCase(context.wallet.address);
  const [{ nonce }, deadline] = await Promise.all([chain.account(account), chain.deadline()]);
  const draft = {
    kind: "set_payment_key" as const,
    account,
    payment_key: zeroAddress,
    payment_key_until: "0",
    nonce: nonce.toString(),
    deadline: deadline.toString(),
  };
  const document = await signDraft<"set_payment_key">(scope, draft, context.signer());
  await relayOrSend(context, {
    what: "The end of the payment key",
    data: authorityCalldata(document),
    deadline: document.deadline,
    relay: () => session.post<Operation>("/api/payment-key", document),
    isDone: async () => (await chain.account(account)).signer === zeroAddress,
  });
  await caughtUp(context, async () => {
    const { payment_key_until } = await context.account();
    return { status: payment_key_until === "0" ? "indexed" : "pending" };
  });
}
