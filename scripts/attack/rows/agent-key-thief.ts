import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { loosen, replaceSigner } from "../authority";
import type { Attack } from "../findings";
import { BEYOND, beyond, DOLLAR, enrolled, payeeOf, says, sends, steal, victim } from "../site";

const { agent: BY_AGENT, approved: APPROVED, wallet: BY_WALLET } = SPEND_MODE;

/**
 * Someone who has an agent's API key and, with the server's secrets and rows, the key of its wallet, but not the
 * owner's keys.
 */
export const agentKeyThief: Attack = {
  who: "A thief of an agent's key and the whole server",
  holds: "the agent's key and secret, every row and server secret",
  async attack(findings) {
    const { owner, agent, payee } = await victim();
    const [to, stranger] = [payeeOf(payee), payeeOf(await enrolled())];
    const [available, own, send] = [await steal(agent), await steal(owner), sends(owner)];
    const key = agent.ownKey;
    const mine = privateKeyToAddress(generatePrivateKey());
    const refused = (what: string, data: Promise<`0x${string}`>, by = "NotAuthorized") =>
      findings.cannot(what, says(owner, data), by);

    const within = { to, amount: 5n * DOLLAR, mode: BY_AGENT };
    await findings.can("pay 5 within the policy", available.spendAndFollow(within, key, send), "accepted");
    const over = (amount: bigint) => beyond(available, { to, amount: amount * DOLLAR, mode: BY_AGENT }, key);
    await findings.cannot("pay 6 over the threshold of 5", over(6n), BEYOND);
    await findings.cannot("pay 11 over the limit of 10 for each payment", over(11n), BEYOND);
    await refused("approve 8 in the owner's place", available.spend({ to, amount: DOLLAR, mode: APPROVED }, key));
    await refused("pay without rules", available.spend({ to, amount: DOLLAR, mode: BY_WALLET }, key));
    const elsewhere = { to: stranger, amount: DOLLAR, mode: BY_AGENT };
    await refused("pay someone outside the policy", available.spend(elsewhere, key), "RecipientNotAllowed");
    await refused(
      "pay past the policy, by transfer",
      available.transfer({ to, amount: DOLLAR }, key),
      "AccountIsLimited",
    );
    await refused("pay from the owner's available balance", own.transfer({ to: stranger, amount: DOLLAR }, key));
    await refused("move the agent's money to the account", available.fund(own, DOLLAR, key));
    await refused("loosen its policy", loosen(agent, key));
    await refused("put another key in the agent's place", replaceSigner(agent, mine, key));
    for (const _ of [1, 2, 3]) await available.spendAndFollow(within, key, send);
    await findings.cannot("pay 1 more after the day's 20", over(1n), BEYOND);
    await findings.can("let the owner end it", send(await replaceSigner(agent, null, owner.walletKey)), "accepted");
    await refused("pay after its end", available.spendUnderInvented(within, key));
  },
};
