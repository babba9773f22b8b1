import { db } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { readPolicy } from "@/lib/agents/pending-policy";
import { updatePolicy } from "@/lib/agents/update-policy";
import { env } from "@/lib/base/env";
import { generateApiKey } from "@/lib/ledger/encrypted/api-key";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { sendBlind } from "@/sdk/payments/blind/pay-blind";
import { send } from "@/sdk/payments/send";
import { GENEROUS } from "@/test/accounts/agent";
import { createBlindKey } from "@/test/accounts/api-key";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { keyClientOf, type Meddle, serveInProcess } from "@/test/services/in-process-service";
import type { Attack, Findings } from "../findings";
import { allSettled, CHAIN, DOLLAR, enrolled, funded, POLICY, victim } from "../site";

/** A server that signs what it can't read: it changes what it responds, and tries single halves of pairs of keys. */
export const blindServer: Attack = {
  who: "The same, of an account that pays with blind keys alone",
  holds: "every row, the API key of each request and with it the key that signs; no home key in force",
  async attack(findings) {
    const [owner, payee, thief] = await Promise.all([funded(50n), enrolled(), enrolled()]);
    const [keys, revoked] = [await createBlindKey(owner), await createBlindKey(owner)];
    const before = (await owner.decryptAvailable()).limit;
    const pay = async (pair: { text: string; homeKey?: string }, meddle?: Meddle, id: string = crypto.randomUUID()) => {
      const context = await keyClientOf(pair, env().chains.test.rpcUrl, { meddle });
      const input = { to: payee.address, amount: "1", idempotencyKey: id };
      return (pair.homeKey ? sendBlind : send)(context, input).then(
        ({ status }) => status,
        (error: unknown) => toHalcyonError(error).code,
      );
    };
    /** Changes fields of the plan that a payment is built from. */
    const planned =
      (fields: object): Meddle =>
      async (request, honest) => {
        const response = await honest();
        if (!request.url.endsWith("/plan")) return response;
        return Response.json({ ...((await response.json()) as object), ...fields });
      };
    const id = crypto.randomUUID();
    await findings.can("relay a payment that its owner's program asks for", pay(keys, undefined, id), "confirmed");
    await findings.cannot("pay with the API key alone", pay({ text: keys.text }), "key_forbidden");
    const mixed = { text: keys.text, homeKey: revoked.homeKey };
    await findings.cannot("pay with the API key and another key's home key", pay(mixed), "key_forbidden");
    const invented = { text: keys.text, homeKey: generateHomeKey(46630) };
    await findings.cannot("pay with the API key and a home key of its own", pay(invented), "key_forbidden");
    const alone = { text: generateApiKey(46630), homeKey: keys.homeKey };
    await findings.cannot("pay with the home key alone", pay(alone), "unauthorized");
    await revokeKey(owner.session, revoked.id);
    await findings.cannot("pay with a revoked key and its home key", pay(revoked), "unauthorized");
    const account = planned({ account: thief.address });
    await findings.cannot("have a payment built for another account", pay(keys, account), "key_forbidden");
    const wrap = planned({ home_wrap: `0x${"11".repeat(400)}` });
    await findings.cannot(
      "exchange the viewing key, assets or ledger that are taken",
      pay(keys, wrap),
      "key_forbidden",
    );
    const none = planned({ state: null });
    await findings.cannot("have a payment built over no state", pay(keys, none), "insufficient_balance");
    let first: string | undefined;
    const older: Meddle = async (request, honest) => {
      const response = await honest();
      if (!request.url.endsWith("/plan")) return response;
      first ??= await response.clone().text();
      return new Response(first, { headers: { "content-type": "application/json" } });
    };
    await findings.can("have a payment built over the newest state", pay(keys, older), "confirmed");
    await findings.cannot("have one built over the state before", pay(keys, older), "available_balance_changed");
    let withheld: Request | undefined;
    const withholding: Meddle = async (request, honest) => {
      if (withheld || !request.url.endsWith("/v1/transfers")) return honest();
      withheld = request.clone();
      throw new TypeError("fetch failed");
    };
    await findings.can("withhold a payment until it is repeated", pay(keys, withholding), "confirmed");
    const make = async (request: Request | undefined, headers: Record<string, string> = {}) => {
      if (!request) throw new Error("nothing was withheld");
      const body = await request.clone().text();
      const all = { ...Object.fromEntries(request.headers), ...headers };
      const response = await serveInProcess(new Request(request.url, { method: "POST", headers: all, body }));
      const { error } = (await response.json()) as { error?: { code: string } };
      return error?.code ?? String(response.status);
    };
    await db().delete(idempotencyKeys);
    await findings.cannot("make it late, beside its repetition", make(withheld), "available_balance_changed");
    const renamed = { "idempotency-key": crypto.randomUUID() };
    await findings.cannot("have it signed for another request", make(withheld, renamed), "key_forbidden");
    const moved = planned({ recipient: thief.address });
    await findings.can("name another recipient for an address", pay(keys, moved), "confirmed");
    await findings.cannot("have that recipient paid", thief.openNotes().then(String), "");
    await findings.can("have a request repeated", pay(keys, undefined, id), "confirmed");
    const spent = async () => String((before - (await owner.decryptAvailable()).limit) / DOLLAR);
    await findings.cannot("have more paid than the four payments", spent(), "4");
    await choosePolicies(findings);
  },
};

/**
 * Refuses each try of an agent's program, and has another policy in force at the next one: which of them the program
 * pays under would show the amount, comparison by comparison.
 */
async function choosePolicies(findings: Findings): Promise<void> {
  const { owner, agent, payee } = await victim();
  const keys = await createBlindKey(agent);
  let documents = 0;
  const pay = async (amount: string, limit: bigint) => {
    const choosing: Meddle = async (request, honest) => {
      if (!request.url.endsWith("/v1/transfers")) return honest();
      documents += 1;
      const { policyVersion } = await readPolicy(CHAIN, agent.account);
      const policy = {
        ...GENEROUS,
        ...POLICY,
        allowedRecipients: [`@${payee.account.handle}`],
        perTransactionLimit: limit,
      };
      const signed = await signPolicyAs(owner, agent.address, { policy, paused: false, version: policyVersion + 1n });
      await updatePolicy(owner.session, agent.account.id, policy, signed);
      await allSettled(owner, agent);
      return Response.json({ error: { code: "available_balance_changed", message: "Again." } }, { status: 409 });
    };
    const context = await keyClientOf(keys, env().chains.test.rpcUrl, { meddle: choosing });
    const paid = sendBlind(context, { to: `@${payee.account.handle}`, amount });
    return paid.then(
      ({ status }) => status,
      (error: unknown) => toHalcyonError(error).code,
    );
  };
  await findings.cannot(
    "have 4 paid under a limit of 9 that came after its first try",
    pay("4", 9n * DOLLAR),
    "policy_not_in_force",
  );
  await findings.cannot("see by a limit of 3 that 4 is more", pay("4", 3n * DOLLAR), "policy_not_in_force");
  await findings.cannot("see by a limit of 2.5 that 2 is less", pay("2", 2_500_000n), "policy_not_in_force");
  await findings.cannot("get more than one document of each of the three", Promise.resolve(String(documents)), "3");
}
