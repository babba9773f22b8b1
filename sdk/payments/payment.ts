import { isAddressEqual } from "viem";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { newSeed } from "@/lib/ledger/crypto/seed";
import type { PreparedFund, PreparedRelease, PreparedTransfer } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { PaymentRequest } from "@/lib/ledger/prepare/payment-request";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { addSpent } from "@/lib/policy/spent";
import { type Party, partyAt } from "../account/party";
import { BudgetChangedError } from "../api/api-errors";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import { openBudget, readView } from "../funds/funds";
import type { Recipient } from "./recipient";

export interface PaymentInput {
  to: Recipient;
  asset: Asset;
  units: bigint;
  /** The amount of a `release` stands in clear on chain; `fund` moves money between the account and its own agent. */
  kind: "transfer" | "release" | "fund";
  memo?: string;
  /** Whether it uses up an agent's daily limit. */
  counted?: boolean;
}

/** What an attempt keeps over its documents; a payment that is tried once needs none of it. */
export interface Attempted {
  /** The payment's seed, the same at every attempt. */
  seed: Uint8Array;
  /** Unix seconds. */
  deadline: bigint;
  /** The budget word the document has to replace; the newest when left out. */
  over?: bigint;
}

/** The kind of a payment: `fund` between the account and its own agents, as the chain has them. */
export function kindOf(context: Context, payer: Party, to: Recipient, isPublic = false): PaymentInput["kind"] {
  if (isPublic) return "release";
  const owner = payer.type === "agent" ? to.address : to.owner;
  return isAddressEqual(owner, context.wallet.address) ? "fund" : "transfer";
}

async function planOwnMove(context: Context, request: PaymentRequest, asset: Asset) {
  const receiver = await partyAt(context, request.to);
  const view = await readView(context, receiver, asset);
  const toBudget = openBudget(request.scope, receiver, asset.address, view);
  return planFund({ ...request, toBudget, toSecret: receiver.secret });
}

/**
 * Builds, proves and signs a payment of the account or an agent on this machine, from the newest budget state. The
 * service gets no amount and no key (docs/protocol.md section 7); of a public payment it gets the amount the chain shows
 * as well.
 *
 * @throws InsufficientBudget, InvalidMemo; HalcyonError `recipient_not_confidential_ready`
 */
export async function preparePayment(
  context: Context,
  payer: Party,
  input: PaymentInput,
  attempted?: Attempted,
): Promise<PreparedTransfer | PreparedRelease | PreparedFund> {
  const { to, asset, kind } = input;
  const [scope, vault, prove] = await Promise.all([context.scope(), context.vault(), context.prover()]);
  const { seed, deadline, over }: Attempted = attempted ?? {
    seed: newSeed(),
    deadline: await (await context.chain()).deadline(),
  };
  // Last of all: from here on every other payment of this budget makes ours out of date.
  const view = await readView(context, payer, asset);
  if (over !== undefined && hexToWord(view.budget.newest_word) !== over) {
    throw new BudgetChangedError("The available balance has changed while this was being built.", { status: 409 });
  }
  const budget = openBudget(scope, payer, asset.address, view);
  const counts = input.counted && payer.type === "agent" && kind !== "fund";
  const request = {
    scope,
    account: payer.address,
    to: to.address,
    asset: asset.address,
    budget,
    counters: counts ? addSpent(budget.counters, new Date(), input.units) : undefined,
    amount: input.units,
    deadline,
    payerViewingKey: vault.viewingKey.publicKey,
    secret: payer.secret,
    memo: input.memo,
    seed,
  };
  const sign = keySigner(vault.spender.privateKey);
  switch (kind) {
    case "release": {
      const plan = await planRelease({ ...request, recipientViewingKey: to.viewingKey ?? undefined });
      return completePlan(plan, prove, sign);
    }
    case "fund":
      return completePlan(await planOwnMove(context, request, asset), prove, sign);
    case "transfer": {
      if (to.viewingKey) {
        return completePlan(await planTransfer({ ...request, recipientViewingKey: to.viewingKey }), prove, sign);
      }
      throw new HalcyonError(
        "recipient_not_confidential_ready",
        "This recipient has not enrolled on this network. Send a public payment (`public: true`), or ask them to sign up first.",
      );
    }
  }
}
