import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { setPolicy } from "@/sdk/account/set-policy";
import { HalcyonError } from "@/sdk/api/errors";
import { send } from "@/sdk/payments/send";
import type { Meddle } from "@/test/services/in-process-service";
import { loosen, loosePolicy, setGuarded } from "../authority";
import type { Attack } from "../findings";
import { client, DOLLAR, enrolled, payeeOf, says, sends, steal, victim } from "../site";

/**
 * A page by the attacker, in the browser of an owner who unlocks there. A wallet shows only hashes of `SetPolicy`, so
 * the page can put in any values. The command line computes them itself from the given fields.
 */
export const badJavaScript: Attack = {
  who: "A server that serves bad JavaScript to owners who unlock",
  holds: "what the wallet signs for the page, every response of the service",
  async attack(findings) {
    const { owner, agent, payee } = await victim();
    const [stranger, available, post] = [payeeOf(await enrolled()), await steal(agent), sends(owner)];
    await post(await setGuarded(owner, true, owner.walletKey));
    const name = `@${agent.account.handle}`;
    const toPayee = { from: name, to: `@${payee.account.handle}`, amount: "1", clientSigned: true };

    await findings.cannot(
      "have the command line sign other limits than it was given",
      outcome(async () => setPolicy(await client(owner, looser), name, { active_hours: "00:00-23:59" })),
      "policy_not_in_force",
    );
    await findings.cannot(
      "have it pay under a policy that is not the ledger's",
      outcome(async () => send(await client(owner, looser), toPayee)),
      "policy_not_in_force",
    );
    await findings.cannot("set a policy without the wallet", says(owner, loosen(agent, agent.ownKey)), "NotAuthorized");

    const { data, opening } = await loosePolicy(agent, owner.walletKey);
    await findings.can("have the wallet sign a policy whose hash no one can read", post(data), "accepted");
    available.known = opening;
    const loose = { to: stranger, amount: 30n * DOLLAR, mode: SPEND_MODE.agent };
    await findings.can("pay 30 to anyone by it", available.spendAndFollow(loose, agent.ownKey, post), "accepted");
  },
};

/** Meddles with the response, so that the agent seems to have a thousand times the limits. */
const looser: Meddle = async (request, honest) => {
  const response = await honest();
  if (request.method !== "GET" || !/spend-policy$/.test(new URL(request.url).pathname)) return response;
  const limits = { daily_limit_usdg: 20_000, per_transaction_limit_usdg: 10_000 };
  return Response.json({ ...(await response.json()), ...limits });
};

async function outcome(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "done";
  } catch (error) {
    if (error instanceof HalcyonError) return error.code;
    throw error;
  }
}
