import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { pauseAgent } from "@/lib/agents/set-status";
import { availableCommitment } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { abandonAvailable, loosen, replacePaymentKey, replaceSigner, setGuarded } from "../authority";
import type { Attack } from "../findings";
import {
  BEYOND,
  beyond,
  DOLLAR,
  enrolled,
  noOnesKey,
  payeeOf,
  paymentKeyOf,
  readable,
  says,
  sends,
  steal,
  victim,
} from "../site";

const { agent: BY_AGENT, approved: APPROVED, wallet: BY_WALLET } = SPEND_MODE;

/** A server that was taken over while it runs, with everything that passes through it. */
export const guardedServer: Attack = {
  who: "A live, compromised server, of a guarded account",
  holds: "the account's payment key and secret, its agent's key and secret, every row",
  shows: "invariants 11 and 23",
  async attack(findings) {
    const { owner, agent, payee } = await victim();
    const [to, stranger] = [payeeOf(payee), payeeOf(await enrolled())];
    const [paymentKey, agentKey] = [paymentKeyOf(owner), agent.ownKey];
    const [available, own] = [await steal(agent), await steal(owner)];
    const send = sends(owner);
    const mine = privateKeyToAddress(generatePrivateKey());
    const refused = async (what: string, data: Promise<`0x${string}`>, by = "NotAuthorized") =>
      findings.cannot(what, says(owner, data), by);
    await send(await setGuarded(owner, true, owner.walletKey));

    const pays = (amount: bigint, mode: 0 | 1, key = mode === APPROVED ? paymentKey : agentKey) =>
      available.spendAndFollow({ to, amount: amount * DOLLAR, mode }, key, send);
    await findings.can("pay 5 within the agent's policy", pays(5n, BY_AGENT), "accepted");
    await findings.can("approve 8 over the threshold of 5, with the payment key", pays(8n, APPROVED), "accepted");
    await pauseAgent(owner.session, agent.account.id);
    await findings.can("pay 2 although the agent is paused", pays(2n, BY_AGENT), "accepted");

    const over = (what: string, amount: bigint, mode: 0 | 1) =>
      findings.cannot(
        what,
        beyond(available, { to, amount: amount * DOLLAR, mode }, mode ? paymentKey : agentKey),
        BEYOND,
      );
    await over("pay 6 over the threshold of 5 without the payment key", 6n, BY_AGENT);
    await over("pay 11 over the limit of 10 for each payment", 11n, BY_AGENT);
    await over("approve 11 over the limit of 10 for each payment", 11n, APPROVED);
    await over("approve 6 over the 5 that are left of the day's 20", 6n, APPROVED);
    const today = await available.today();
    const on = (days: bigint) => available.spend({ to, amount: DOLLAR, mode: BY_AGENT, day: today + days }, agentKey);
    await refused("count a payment on the day after tomorrow", on(2n), "WrongDay");
    await refused("count a payment on the day before yesterday", on(-2n), "WrongDay");
    const free = { to, amount: DOLLAR, mode: BY_WALLET };
    await refused("pay without rules, with the payment key", available.spend(free, paymentKey));
    await refused("pay without rules, with the agent's key", available.spend(free, agentKey));
    const elsewhere = { to: stranger, amount: DOLLAR, mode: BY_AGENT };
    await refused("pay someone outside the policy", available.spend(elsewhere, agentKey), "RecipientNotAllowed");
    const inPublic = { ...elsewhere, isPublic: true };
    await refused(
      "pay an address outside the policy in public",
      available.spend(inPublic, agentKey),
      "RecipientNotAllowed",
    );
    await refused(
      "pay past the policy, by transfer",
      available.transfer({ to, amount: DOLLAR }, agentKey),
      "AccountIsLimited",
    );
    await refused("move the agent's money to the account", available.fund(own, DOLLAR, paymentKey));
    await refused("move the account's money to the agent", own.fund(available, DOLLAR, paymentKey));
    await refused("loosen the agent's policy, with the payment key", loosen(agent, paymentKey));
    await refused("loosen the agent's policy, with the agent's key", loosen(agent, agentKey));
    await refused("turn the guard off", setGuarded(owner, false, paymentKey));
    await refused("put a key of its own in the agent's place", replaceSigner(agent, mine, paymentKey));
    await refused("put a payment key of its own in the account's place", replacePaymentKey(owner, mine, paymentKey));
    const commitment = commitmentToHex(availableCommitment(available.available));
    await refused("give up the agent's available balance", abandonAvailable(agent, commitment, paymentKey));

    const spoiled = { to, amount: 1n, mode: BY_AGENT, copyFor: noOnesKey(agent) };
    await findings.can(
      "write a copy that no one can read",
      available.spendAndFollow(spoiled, agentKey, send),
      "accepted",
    );
    await findings.cannot("keep the owner from reading the available balance by it", readable(agent), "44.999999");
    const out = { to: stranger, amount: 5n * DOLLAR };
    await findings.can(
      "pay anyone from the account, without limits of its keys",
      own.transferAndFollow(out, paymentKey, send),
      "accepted",
    );
    await findings.can("end the agent", send(await replaceSigner(agent, null, paymentKey)), "accepted");
    const one = { to, amount: DOLLAR };
    await refused("pay with the key of the ended agent", available.spend({ ...one, mode: BY_AGENT }, agentKey));
    await refused("approve for the ended agent", available.spend({ ...one, mode: APPROVED }, paymentKey), "AgentEnded");
  },
};
