import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { env } from "@/lib/base/env";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveKnowledge } from "@/lib/ledger/crypto/keys";
import { hashApiKey } from "@/lib/ledger/encrypted/api-key";
import { decryptAccess, decryptHome } from "@/lib/ledger/encrypted/blind-key";
import { decryptFunds } from "@/sdk/account/funds/funds";
import { partyOf } from "@/sdk/account/party";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { sendBlind } from "@/sdk/payments/blind/pay-blind";
import { rotateAccountSecret } from "@/sdk/recovery/account-secret/rotate-account-secret";
import { createBlindKey } from "@/test/accounts/api-key";
import { keyClientOf, type Meddle, serveInProcess } from "@/test/services/in-process-service";
import type { Attack } from "../findings";
import { client, DOLLAR, enrolled, funded, newestState, payeeOf, paymentKeyOf, says, steal } from "../site";

/** Someone who had both halves of a pair until it was revoked, and has kept everything that they saw. */
export const blindKeyThief: Attack = {
  who: "A thief of a blind key with its home key, until both are revoked and after it",
  holds: "both keys and all they decrypted; then every row too, and then the server's pepper",
  async attack(findings) {
    const [owner, payee] = await Promise.all([funded(50n), enrolled()]);
    const [stolen, own] = [await createBlindKey(owner), await createBlindKey(owner)];
    const pay = async (pair: { text: string; homeKey: string }, meddle?: Meddle) => {
      const context = await keyClientOf(pair, env().chains.test.rpcUrl, { meddle });
      return sendBlind(context, { to: payee.address, amount: "1" }).then(
        ({ status }) => status,
        (error: unknown) => toHalcyonError(error).code,
      );
    };
    /** The service can't know what the state says that a client leaves. */
    const poisoning: Meddle = async (request, honest) => {
      if (!request.url.endsWith("/v1/transfers")) return honest();
      const body = (await request.json()) as { blind: { document: { next_state: { encrypted: Hex } } } };
      const { next_state: state } = body.blind.document;
      const encrypted = fromHex(state.encrypted);
      encrypted.set([(encrypted.at(-1) ?? 0) ^ 1], encrypted.length - 1);
      state.encrypted = toHex(encrypted);
      const { url, method, headers } = request;
      return serveInProcess(new Request(url, { method, headers, body: JSON.stringify(body) }));
    };
    const [before] = await db().select().from(apiKeys).where(eq(apiKeys.id, stolen.id));
    await findings.can("pay, and leave a state that no one opens", pay(stolen, poisoning), "confirmed");
    await revokeKey(owner.session, stolen.id);
    await findings.cannot("pay once the pair is revoked", pay(stolen), "unauthorized");
    await findings.can("keep the account's programs from paying until its owner syncs", pay(own), "sync_required");
    const wallet = await client(owner);
    await decryptFunds(wallet, await partyOf(wallet), await wallet.asset("USDG"));
    await findings.cannot("keep them from paying after that", pay(own), "confirmed");
    const spent = async () => String(50n - (await owner.decryptAvailable()).limit / DOLLAR);
    await findings.cannot("have more paid than the two payments", spent(), "2");

    const place = { scope: owner.scope, holder: owner.address, version: 1 };
    const keyHash = hashApiKey(stolen.text);
    const known = async () =>
      newestState(owner, decryptHome(stolen.homeKey, keyHash, place, fromHex(before?.homeWrap ?? "0x")).knowledge);
    await findings.can("read the balance as it is now, with every row, until the rotation", known(), "opens");
    const [now] = await db().select().from(apiKeys).where(eq(apiKeys.id, stolen.id));
    const left = [now?.accessWrap, now?.homeWrap, now?.flagWrap].map(String).join();
    await findings.cannot(
      "find anything in the rows that the revoked keys open",
      Promise.resolve(left),
      "null,null,null",
    );
    const wrap = { ...place, requestKey: fromHex(before?.requestKey ?? "0x") };
    const opened = async () => decryptAccess(stolen.text, wrap, fromHex(before?.accessWrap ?? "0x"));
    await findings.cannot(
      "open what signs in the rows of before, without the pepper",
      opened().then(
        () => "opens",
        () => "does not open",
      ),
      "does not open",
    );
    const transfer = async () =>
      says(owner, (await steal(owner)).transfer({ to: payeeOf(payee), amount: DOLLAR }, paymentKeyOf(owner)));
    await findings.can("pay with it and the pepper, until the rotation", transfer(), "accepted");
    await rotateAccountSecret(wallet);
    const fresh = deriveKnowledge(owner.accountKey, owner.scope, 2);
    await findings.can("leave the owner the balance", newestState(owner, fresh), "opens");
    await findings.cannot("read the balance after the rotation", newestState(owner, owner.secret), "does not open");
  },
};
