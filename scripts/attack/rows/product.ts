import { updatePolicy } from "@/lib/agents/update-policy";
import { ApiError } from "@/lib/base/errors";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { createTransfer } from "@/lib/payments/create-transfer";
import { endAgent } from "@/sdk/account/end-agent";
import { setGuard } from "@/sdk/account/guard";
import { setPolicy } from "@/sdk/account/set-policy";
import { HalcyonError } from "@/sdk/api/errors";
import type { Attack } from "../findings";
import { allSettled, BEYOND, beyond, client, DOLLAR, payeeOf, says, steal, victim } from "../site";

/**
 * The product in normal use, from guard to end. What the service refuses is then built without it, with the agent's key
 * and secret, because the product has no switch that turns its checks off.
 */
export const product: Attack = {
  who: "An owner and an agent, as the product is meant",
  holds: "the wallet; the agent's API key",
  async attack(findings) {
    const { owner, agent, payee } = await victim();
    const [name, wallet] = [`@${agent.account.handle}`, await client(owner)];
    const key = await agent.key();
    const pays = async (amount: string) => {
      const to = `@${payee.account.handle}`;
      try {
        return (await createTransfer(key, { asset: "USDG", confidential: true, to, amount })).outcome;
      } catch (error) {
        if (error instanceof ApiError) return error.code;
        throw error;
      }
    };
    const guarded = async () => ((await setGuard(wallet, true)).guarded ? "guarded" : "not guarded");
    await findings.can("turn the guard on", guarded(), "guarded");
    const narrow = { per_transaction_limit_usdg: 9 };
    const set = async () => String((await setPolicy(wallet, name, narrow)).per_transaction_limit_usdg);
    await findings.can("give the agent a policy: 9 for each payment", set(), "9");
    await findings.can("have it pay 4", pays("4"), "paid");
    await findings.can("have it ask for 6, over the threshold of 5", pays("6"), "held");
    await findings.cannot("have it pay 10", pays("10"), "policy_violation");
    await allSettled(agent);
    const available = await steal(agent);
    const ten = { to: payeeOf(payee), amount: 10n * DOLLAR, mode: SPEND_MODE.agent };
    await findings.cannot("have it pay 10, built past the service", beyond(available, ten, agent.ownKey), BEYOND);
    const six = { ...ten, amount: 6n * DOLLAR };
    await findings.cannot("have it pay 6, built past the service", beyond(available, six, agent.ownKey), BEYOND);
    const byKey = updatePolicy(await owner.key(), agent.account.id, { perTransactionLimit: 100n * DOLLAR });
    await findings.cannot("loosen its policy by an API key", refusal(byKey), "key_forbidden");
    const ended = async () => (await endAgent(wallet, name)).status;
    await findings.can("end the agent", ended(), "ended");
    await allSettled(agent);
    await findings.cannot("have it pay 1 after its end", pays("1"), "policy_violation");
    const one = { ...ten, amount: DOLLAR };
    await findings.cannot(
      "have it pay 1, built past the service",
      says(owner, available.spend(one, agent.ownKey)),
      "NotAuthorized",
    );
  },
};

async function refusal(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return "done";
  } catch (error) {
    if (error instanceof ApiError || error instanceof HalcyonError) return error.code;
    throw error;
  }
}
