import { setLimits } from "@/lib/agents/set-limits";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { leaveLimits, loosen, setGuarded } from "../authority";
import type { Attack } from "../findings";
import {
  allSettled,
  BEYOND,
  beyond,
  DOLLAR,
  enrolled,
  funded,
  POLICY,
  payeeOf,
  paymentKeyOf,
  says,
  sends,
  steal,
} from "../site";

const { agent: BY_KEY, approved: APPROVED, wallet: BY_WALLET } = SPEND_MODE;

/** The same server, for an account with limits of its own keys. The chain enforces these like an agent's. */
export const ownLimits: Attack = {
  who: "The same, of an account with limits of its keys",
  holds: "the account's payment key and secret, every row",
  async attack(findings) {
    const [owner, payee, other] = await Promise.all([funded(50n), enrolled(), enrolled()]);
    const policy = { ...DENY_ALL, ...POLICY, allowedRecipients: [`@${payee.account.handle}`] };
    const signed = await signPolicyAs(owner, owner.address, { policy, paused: false, version: 1n, limited: true });
    await setLimits(owner.session, policy, signed);
    await allSettled(owner);
    const [own, paymentKey, send] = [await steal(owner), paymentKeyOf(owner), sends(owner)];
    const to = payeeOf(payee);
    const refused = (what: string, data: Promise<`0x${string}`>, by = "NotAuthorized") =>
      findings.cannot(what, says(owner, data), by);

    const within = { to, amount: 5n * DOLLAR, mode: BY_KEY };
    await findings.can("pay 5 within the limits", own.spendAndFollow(within, paymentKey, send), "accepted");
    const over = (amount: bigint) => beyond(own, { to, amount: amount * DOLLAR, mode: BY_KEY }, paymentKey);
    await findings.cannot("pay 6 over the threshold of 5", over(6n), BEYOND);
    await findings.cannot("pay 11 over the limit of 10 for each payment", over(11n), BEYOND);
    await refused("approve 6 with the same key", own.spend({ to, amount: 6n * DOLLAR, mode: APPROVED }, paymentKey));
    await refused("pay without rules", own.spend({ to, amount: DOLLAR, mode: BY_WALLET }, paymentKey));
    const elsewhere = { to: payeeOf(other), amount: DOLLAR, mode: BY_KEY };
    await refused("pay someone outside the limits", own.spend(elsewhere, paymentKey), "RecipientNotAllowed");
    await refused(
      "pay past the limits, by transfer",
      own.transfer({ to, amount: DOLLAR }, paymentKey),
      "AccountIsLimited",
    );
    await refused("loosen the limits", loosen(owner, paymentKey));
    await refused("leave the limits", leaveLimits(owner, paymentKey));
    await refused("turn the guard off", setGuarded(owner, false, paymentKey));
  },
};
