import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { budgetCommitment } from "@/lib/ledger/crypto/commitments";
import { wordToHex } from "@/lib/ledger/crypto/field";
import { deriveViewingKey, newRoot } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { abandonBudget, loosen, replaceSigner, replaceSpender, setGuarded } from "../authority";
import type { Attack } from "../findings";
import { BEYOND, beyond, DOLLAR, enrolled, payeeOf, says, send, spenderKey, steal, victim } from "../site";

const { agent: BY_AGENT, approved: APPROVED, wallet: BY_WALLET } = SPEND_MODE;

/** A server that was taken over while it runs, with everything that passes through it, of an account with the guard on. */
export const guardedServer: Attack = {
  who: "A live, compromised server, of a guarded account",
  holds: "the account's API key (its spending key) and its agent's key and secret",
  async attack(findings) {
    const { owner, agent, payee } = await victim();
    const [stranger, mine] = [payeeOf(await enrolled()), generatePrivateKey()];
    const wallet = owner.walletKey;
    await send(owner, setGuarded(owner, true, wallet));
    const [spender, agentKey, budget, own] = [spenderKey(owner), agent.ownKey, await steal(agent), await steal(owner)];
    const to = payeeOf(payee);
    const outOf = (data: string) => send(owner, data as `0x${string}`);

    await findings.can(
      "pay 5 within the agent's policy",
      budget.spendAndFollow({ to, amount: 5n * DOLLAR, mode: BY_AGENT }, agentKey, outOf),
      "accepted",
    );
    await findings.can(
      "approve 8 over its threshold of 5, with the owner's spending key",
      budget.spendAndFollow({ to, amount: 8n * DOLLAR, mode: APPROVED }, spender, outOf),
      "accepted",
    );
    const seven = { to, amount: 8n * DOLLAR, mode: BY_AGENT };
    await findings.cannot("pay 8 over the threshold without it", beyond(budget, seven, agentKey), BEYOND);
    const eleven = { to, amount: 11n * DOLLAR };
    await findings.cannot(
      "pay 11 over the limit of 10 for a payment",
      beyond(budget, { ...eleven, mode: BY_AGENT }, agentKey),
      BEYOND,
    );
    await findings.cannot(
      "approve 11 over the limit of 10 for a payment",
      beyond(budget, { ...eleven, mode: APPROVED }, spender),
      BEYOND,
    );
    await findings.cannot(
      "approve 8 over what is left of the day's 20",
      beyond(budget, { to, amount: 8n * DOLLAR, mode: APPROVED }, spender),
      BEYOND,
    );
    const today = await budget.today();
    const later = (days: bigint) =>
      says(owner, budget.spend({ to, amount: DOLLAR, mode: BY_AGENT, day: today + days }, agentKey));
    await findings.cannot("count a payment on the day after tomorrow", later(2n), "WrongDay");
    await findings.cannot("count a payment on the day before yesterday", later(-2n), "WrongDay");
  },
};
