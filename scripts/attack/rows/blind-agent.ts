import { db } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/keys";
import { env } from "@/lib/base/env";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { heldDigest } from "@/lib/ledger/encrypted/held";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { approve } from "@/sdk/payments/approvals/approve";
import { homeOf } from "@/sdk/payments/blind/home";
import { sendBlind } from "@/sdk/payments/blind/pay-blind";
import { createBlindKey } from "@/test/accounts/api-key";
import type { Owner } from "@/test/accounts/owner";
import type { LimitedPayment } from "@/test/attacks/stolen-available";
import { asOwner } from "@/test/services/as-owner";
import { keyClientOf, type Meddle } from "@/test/services/in-process-service";
import type { Attack } from "../findings";
import { allSettled, client, DOLLAR, enrolled, payeeOf, steal, victim } from "../site";

const { agent: BY_AGENT, approved: APPROVED } = SPEND_MODE;
type Held = Record<"transaction_id" | "encrypted" | "note", `0x${string}`>;

/** A program that has an agent's keys, and builds other payments than the SDK would. The service sees no amount of them. */
export const blindAgent: Attack = {
  who: "An agent's program with a blind key that lies about what it pays",
  holds: "the agent's API key and home key; no key of its owner",
  async attack(findings) {
    const { owner, agent, payee } = await victim({ paymentsPerDay: 4 });
    const stranger = await enrolled();
    const keys = await createBlindKey(agent);
    const program = (meddle?: Meddle) => keyClientOf(keys, env().chains.test.rpcUrl, { meddle });
    const codeOf = (error: unknown) => toHalcyonError(error).code;
    const pay = async (amount: string, meddle?: Meddle) => {
      const paid = sendBlind(await program(meddle), { to: `@${payee.account.handle}`, amount });
      const status = await paid.then(({ status }) => status, codeOf);
      await allSettled(agent);
      return status;
    };
    const post = async (digest: Uint8Array, to: Owner, blind: object) => {
      const [context, id] = [await program(), crypto.randomUUID()];
      const signature = (await homeOf(context)).sign("/v1/transfers", id, digest);
      const json = {
        to: to.address,
        asset: "USDG",
        blind: { ...blind, signature, fingerprint: `0x${"00".repeat(32)}` },
      };
      const headers = { ...context.bearer, "idempotency-key": id };
      return context.http.send("POST", "/v1/transfers", { json, headers });
    };
    /** Builds a payment past the SDK, and has the service sign it. */
    const lie = async (to: Owner, payment: Omit<LimitedPayment, "to">, invented = false) => {
      const available = await steal(agent);
      try {
        const { document, digest } = await available.unsigned({ ...payment, to: payeeOf(to) }, { invented });
        return String((await post(fromHex(digest), to, { document })).status);
      } catch (error) {
        return codeOf(error);
      }
    };
    const units = (dollars: bigint) => dollars * DOLLAR;

    await findings.can("pay 4 within the policy", pay("4"), "confirmed");
    const six = { amount: units(6n), mode: BY_AGENT };
    await findings.cannot(
      "pay 6 over the threshold of 5, by a policy of its own",
      lie(payee, six, true),
      "available_balance_changed",
    );
    const called = { amount: units(6n), mode: APPROVED };
    await findings.cannot("pay 6 as if its owner had approved it", lie(payee, called), "invalid_request");
    const eleven = { amount: units(11n), mode: BY_AGENT };
    await findings.cannot(
      "pay 11 over the limit of 10, by a policy of its own",
      lie(payee, eleven, true),
      "available_balance_changed",
    );
    const day = (await (await steal(agent)).today()) + 3n;
    const later = { amount: units(1n), mode: BY_AGENT, day };
    await findings.cannot("pay on a day that is not yet anywhere", lie(payee, later), "invalid_request");
    const elsewhere = { amount: units(1n), mode: BY_AGENT };
    await findings.cannot("pay someone outside the policy", lie(stranger, elsewhere), "policy_violation");

    /** What the program would send to be held. */
    const heldOf = async (amount: string): Promise<Held> => {
      let held: Held | undefined;
      const catching: Meddle = async (request, honest) => {
        if (!request.url.endsWith("/v1/transfers")) return honest();
        held = ((await request.json()) as { blind: { held: Held } }).blind.held;
        return Response.json({ error: { code: "invalid_request", message: "caught" } }, { status: 400 });
      };
      await pay(amount, catching);
      if (!held) throw new Error("nothing was to be held");
      return held;
    };
    const [asked, meant] = [await heldOf("6"), await heldOf("9")];
    const id = asked.transaction_id;
    const lied = { transaction_id: id, encrypted: asked.encrypted, note: meant.note };
    const held = post(heldDigest(id, lied.encrypted, lied.note), payee, { held: lied });
    await findings.can(
      "ask for a payment of 6 under the note of one of 9",
      held.then(({ status }) => String(status)),
      "202",
    );
    const approved = async () => (await approve(await client(owner), id)).status;
    await findings.cannot("have either of them approved", approved().catch(codeOf), "outcome_unknown");

    for (const _ of [1, 2, 3]) await pay("1");
    await findings.cannot("pay a fifth time on a day of four", pay("1"), "policy_violation");
    const forget = asOwner(async (tables) => {
      await tables`set session_replication_role = replica`; // no triggers and no foreign keys
      await tables`delete from transfers where payer_id = ${agent.account.id}`;
    });
    await db().delete(idempotencyKeys);
    await findings.can(
      "do so once someone has deleted its payments from the database",
      forget.then(() => pay("1")),
      "confirmed",
    );
    const left = async () => String((await agent.decryptAvailable()).limit / DOLLAR);
    await findings.cannot("have paid more than these five, of 8", left(), "52");
  },
};
