import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { loosePolicy, replacePaymentKey, replaceSigner, setGuarded } from "../authority";
import type { Attack } from "../findings";
import {
  addDeposited,
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

/** The same server, for an account without the guard: its payment key decides for the agents. */
export const unguardedServer: Attack = {
  who: "The same, not guarded",
  holds: "the account's payment key and secret, its agent's key and secret, every row",
  async attack(findings) {
    const { owner, agent } = await victim();
    const stranger = payeeOf(await enrolled());
    const [paymentKey, send] = [paymentKeyOf(owner), sends(owner)];
    const [available, own] = [await steal(agent), await steal(owner)];
    await addDeposited(owner, 20n);
    const mine = privateKeyToAddress(generatePrivateKey());
    const refused = (what: string, data: Promise<`0x${string}`>, by = "NotAuthorized") =>
      findings.cannot(what, says(owner, data), by);

    await refused(
      "turn 20 of deposited money into an available balance",
      own.makeAvailable(20n * DOLLAR, await own.nonce(), paymentKey),
    );
    await refused("put a key of its own in the agent's place", replaceSigner(agent, mine, paymentKey));
    await refused("put a payment key of its own in the account's place", replacePaymentKey(owner, mine, paymentKey));
    await refused("turn the guard on", setGuarded(owner, true, paymentKey));
    const all = { to: stranger, amount: 400n * DOLLAR };
    await refused("pay 400 from an available balance of 140", own.inflated(all, 1_000n * DOLLAR, paymentKey));

    const { data, opening } = await loosePolicy(agent, paymentKey);
    await findings.can("loosen the agent's policy", send(data), "accepted");
    available.known = opening;
    const loose = { to: stranger, amount: 30n * DOLLAR, mode: SPEND_MODE.agent };
    await findings.can("pay 30 to anyone by it", available.spendAndFollow(loose, agent.ownKey, send), "accepted");
    await findings.can(
      "move 20 of the agent's to the account",
      available.fundAndFollow(own, 20n * DOLLAR, paymentKey, send),
      "accepted",
    );
    const out = { to: stranger, amount: 20n * DOLLAR };
    await findings.can("pay 20 to anyone from there", own.transferAndFollow(out, paymentKey, send), "accepted");
    const poison = own.fund(available, 1n, paymentKey, noOnesKey(agent));
    await findings.can("destroy the agent's available balance", send(await poison), "accepted");
    await findings.can("so that its owner cannot read it", readable(agent), "unreadable");
  },
};
