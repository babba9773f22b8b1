import { publicClient } from "@/lib/chain/clients";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { noteCommitment } from "@/lib/ledger/crypto/commitments";
import { deriveAuthority, deriveKnowledge, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { noteSaltOf } from "@/lib/ledger/crypto/payment-seed";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { decryptPayerCopy } from "@/lib/ledger/encrypted/payer-copy";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import { moneyEvents } from "@/sdk/chain/ledger-events";
import { rotateAccountSecret } from "@/sdk/recovery/account-secret/rotate-account-secret";
import type { Agent } from "@/test/accounts/agent";
import { withDerived } from "@/test/attacks/attacker";
import { loosen, setGuarded } from "../authority";
import type { Attack } from "../findings";
import {
  allSettled,
  CHAIN,
  client,
  DOLLAR,
  newestState,
  payeeOf,
  paymentKeyOf,
  says,
  sends,
  steal,
  victim,
} from "../site";

const { agent: BY_AGENT, approved: APPROVED } = SPEND_MODE;

/** Someone who has learned an account's secret and its agent's keys, before or after the owner rotated them. */
export const rotatedSecret: Attack = {
  who: "A thief of an account's secret, old or new",
  holds: "the secret before a rotation, its payment key and its agent's key; then the secret after it",
  shows: "invariant 22",
  async attack(findings) {
    const { owner, agent, payee } = await victim();
    const [to, post] = [payeeOf(payee), sends(owner)];
    const [paymentKey, agentKey] = [paymentKeyOf(owner), agent.ownKey];
    const [own, available] = [await steal(owner), await steal(agent)];
    const five = { to, amount: 5n * DOLLAR, mode: BY_AGENT };
    await findings.can(
      "pay 5 from the agent's available balance before",
      available.spendAndFollow(five, agentKey, post),
      "accepted",
    );
    await allSettled(agent);
    const paying = { to, amount: DOLLAR };
    const before = { transfer: await own.transfer(paying, paymentKey), spend: await available.spend(five, agentKey) };

    await rotateAccountSecret(await client(owner));
    const refused = (what: string, data: Promise<`0x${string}`>, by = "NotAuthorized") =>
      findings.cannot(what, says(owner, data), by);
    await refused("send a payment that was signed before", Promise.resolve(before.transfer));
    await refused("send a payment of the agent's that was signed before", Promise.resolve(before.spend));
    await refused("sign with the old payment key", own.transfer(paying, paymentKey));
    await refused("sign with the agent's old key", available.spend(five, agentKey));
    await refused("approve with the old payment key", available.spend({ ...five, mode: APPROVED }, paymentKey));
    await refused("loosen the agent's policy with the old payment key", loosen(agent, paymentKey));
    await refused("turn the guard on with the old payment key", setGuarded(owner, true, paymentKey));
    await findings.cannot(
      "read the new balance with the old secret",
      newestState(owner, owner.secret),
      "does not open",
    );

    const next = deriveKnowledge(owner.accountKey, owner.scope, 2);
    await findings.can("read the new balance with the new secret", newestState(owner, next), "opens");
    for (const [which, secret] of [
      ["old", owner.secret],
      ["new", next],
    ] as const) {
      const tried = pastPayments(agent, five.amount, secret);
      await findings.cannot(`open a past payment with the ${which} secret, its amount known`, tried, "0 of 1");
    }
    const fresh = derivePaymentKey(deriveAuthority(owner.accountKey, owner.scope, 2), owner.scope).privateKey;
    await findings.can(
      "loosen the agent's policy with the new payment key",
      says(owner, loosen(agent, fresh)),
      "accepted",
    );
  },
};

/** Returns how many payments of an agent a secret decrypts, with any key or seed that the product derives from it. */
async function pastPayments({ scope, address }: Agent, amount: bigint, secret: Uint8Array): Promise<string> {
  const chain = publicClient(CHAIN);
  const events = await moneyEvents(chain, scope.ledger, address, 0n, await chain.getBlockNumber());
  const payments = events.flatMap((event) => (event.eventName === "Transferred" ? [event.args] : []));
  const keys = withDerived(secret, scope);
  const opened = await Promise.all(
    payments.map(async ({ to, asset, note, newAvailable, recipientCiphertext, payerCiphertext }) => {
      const [received, sent] = [
        { scope, account: to, asset, commitment: note },
        { scope, account: address, asset, commitment: newAvailable },
      ];
      const tried = keys.map(async (key) => {
        if (noteCommitment({ amount, salt: noteSaltOf(key, received, amount) }) === note) return true;
        const copies = [
          decryptRecipientCopy(key, received, fromHex(recipientCiphertext)),
          decryptPayerCopy(key, sent, fromHex(payerCiphertext)),
        ];
        return (await Promise.all(copies)).some((copy) => copy !== null);
      });
      return (await Promise.all(tried)).includes(true);
    }),
  );
  return `${opened.filter(Boolean).length} of ${opened.length}`;
}
