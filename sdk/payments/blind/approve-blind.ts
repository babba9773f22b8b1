import { type Decimals, formatAmount } from "@/lib/base/money";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { decryptHeld } from "@/lib/ledger/encrypted/held";
import { sellerOf } from "@/lib/ledger/exact/seller-binding";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { AvailableBalanceChangedError } from "../../api/api-errors";
import { requireSameId } from "../../api/require-same-id";
import type { DecidedPayment } from "../../api/resources/approvals";
import type { Context } from "../../context/context";
import type { ApproveOptions } from "../approvals/approve";
import { notAsked, notShown } from "../approvals/decrypt-held";
import type { Posted } from "../attempts/posted";
import type { SendCall } from "../send";
import { BuildLock } from "./build-lock";
import { askPlan, type Home, homeAsset, homeOf, notBlind } from "./home";
import { type ApprovedMarks, build, postBuilt, refuseOthers } from "./pay-blind";
import { frozenPlans, type PlanInForce } from "./policy-terms";

/** What an agent asks for, as the payment from its balance that approves it. */
interface AskedPayment {
  planned: PlanInForce;
  input: SendCall;
  approved: ApprovedMarks;
  entry: DecidedPayment;
}

/**
 * Decrypts what an agent of the account asks for.
 *
 * @param ciphertext the text that was shown to the person who approves; any other is refused
 * @throws HalcyonError `transaction_not_found` for a text that the agent has not encrypted
 */
async function askedPayment(home: Home, id: string, planned: PlanInForce, ciphertext?: string): Promise<AskedPayment> {
  const { scope } = home;
  const { plan, content } = planned;
  const { held } = plan;
  if (!held || (ciphertext !== undefined && held.ciphertext !== ciphertext)) throw notShown();
  const holder = lowerCase(held.payer);
  const { symbol, address, decimals } = homeAsset(content, held.asset);
  const knowledge = deriveAgentHalf(content.knowledge, holder, scope);
  const place = { id, agent: holder, asset: address };
  const heldKey = deriveHeldKey(content.knowledge, scope).secret;
  const text = await decryptHeld(heldKey, knowledge, scope, place, fromHex(held.ciphertext)).catch(notAsked);
  if (sellerOf(text)) throw notBlind("approve a payment to a seller of the scheme `exact`");
  const { amount, binding, kind, memo, seed, tag, to: meant } = text;
  const isPublic = kind === "release";
  const decided_at = new Date().toISOString();
  return {
    planned: { ...planned, content: { ...content, holder, knowledge } },
    input: {
      to: held.to,
      meant,
      amount: formatAmount(amount, decimals as Decimals),
      asset: symbol,
      memo,
      binding: binding && toHex(binding),
      public: isPublic,
    },
    approved: { seed, tag },
    entry: {
      transaction_id: id,
      status: "approved",
      agent: held.agent,
      to: held.to,
      confidential: !isPublic,
      decided_at,
    },
  };
}

/**
 * Approves a payment of an agent with the account's blind key: this machine decrypts what the agent asked for and builds
 * exactly that from the agent's newest balance, and the service signs it with the owner's payment key.
 */
export async function approveBlind(
  context: Context,
  id: string,
  { ciphertext, pending, onPending, ...options }: ApproveOptions & { idempotencyKey?: string | undefined },
): Promise<Posted<DecidedPayment> & { entry: DecidedPayment }> {
  refuseOthers({ pending });
  const [home, { finality }] = await Promise.all([homeOf(context), context.info()]);
  const key = options.idempotencyKey ?? id;
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}/approve` as const;
  let hasLost = false;
  const lock = new BuildLock(
    (wish) => askPlan(context, home, { transaction_id: id }, "USDG", wish),
    () => hasLost,
  );
  const plans = frozenPlans(context, home, () => lock.plan());
  let asked: AskedPayment | undefined;
  const make = async () => {
    asked = await askedPayment(home, id, await plans(), ciphertext);
    const { planned, input, approved } = asked;
    return build(context, home, planned, { input, id, finality, approved });
  };
  const again = (error: unknown) => {
    hasLost ||= error instanceof AvailableBalanceChangedError;
    return false;
  };
  const posted = await postBuilt(context, { onPending }, { make, again }, async ({ digest, ...made }) => {
    const json = { blind: { ...made, signature: home.sign(path, key, digest) }, lock_token: lock.token };
    const headers = { ...context.bearer, "idempotency-key": key };
    return (await context.http.send("POST", path, { json, headers })).body as DecidedPayment;
  }).finally(() => lock.end());
  const { entry } = asked as AskedPayment;
  const { response } = posted;
  return {
    ...posted,
    response: response && (await requireSameId("transaction_id", id, Promise.resolve(response), true)),
    entry,
  };
}
