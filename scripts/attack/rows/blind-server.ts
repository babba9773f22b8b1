import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { env } from "@/lib/base/env";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { sendBlind } from "@/sdk/payments/blind/pay-blind";
import { send } from "@/sdk/payments/send";
import { createBlindKey } from "@/test/accounts/api-key";
import { keyClientOf, type Meddle } from "@/test/services/in-process-service";
import type { Attack } from "../findings";
import { DOLLAR, enrolled, funded } from "../site";

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
    const moved = planned({ recipient: thief.address });
    await findings.can("name another recipient for an address", pay(keys, moved), "confirmed");
    await findings.cannot("have that recipient paid", thief.openNotes().then(String), "");
    await findings.can("have a request repeated", pay(keys, undefined, id), "confirmed");
    const spent = async () => String((before - (await owner.decryptAvailable()).limit) / DOLLAR);
    await findings.cannot("have more paid than the two payments", spent(), "2");
  },
};
