import { isAddressEqual } from "viem";
import { type Decimals, parseAmount } from "@/lib/base/money";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { blindRequestTag, epochsOn, firstEpochs } from "@/lib/ledger/crypto/epochs";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import { blindPartBytes, blindPartOf } from "@/lib/ledger/encrypted/blind-state";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { parseAddress } from "../../account/resolve-address";
import { AvailableBalanceChangedError } from "../../api/api-errors";
import { HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import type { PendingPayment } from "../attempts/pending-payment";
import { hasLeftNothing, postAgain } from "../attempts/post-again";
import { viewingKeyOf } from "../payment";
import { bindingBytes, detailsBody } from "../payment-details";
import { recipientAt } from "../recipient";
import type { BlindBalances } from "./blind-balances";
import { BuildLock } from "./build-lock";
import { decryptState, fingerprintOf, type Home, homeAsset, homeOf, NO_POLICY } from "./home";
import { unusedMarks } from "./marks";
import { askNames, askStateOf } from "./payout-plan";
import { frozenPlans, type PlanInForce } from "./policy-terms";
import type { WaitingPayment } from "./waiting-payment";

const PATH = "/v1/transfers/batch";
const DAY = 86_400n;
/** How often a batch is built: once more after another client's payment came first. */
const TRIES = 2;

/**
 * Pays several requests of one balance with one proof. Each has the note that it would have alone, and its own
 * `Idempotency-Key` at the service. So whatever goes wrong here, each is sent alone afterwards, and none is paid twice:
 * alone it finds its own error, the payment on the chain, or the service's response to it.
 */
export async function payTogether(
  context: Context,
  balances: BlindBalances,
  asset: string,
  gathered: readonly WaitingPayment[],
): Promise<void> {
  const paid = new Set<WaitingPayment>();
  try {
    for (let attempt = 1; attempt <= TRIES && paid.size === 0; attempt++) {
      try {
        for (const [payment, posted] of await attemptTogether(context, balances, asset, gathered)) {
          payment.over(posted);
          paid.add(payment);
        }
      } catch (error) {
        if (error instanceof HalcyonError && error.code === "key_forbidden") balances.payAlone();
        if (!(error instanceof AvailableBalanceChangedError)) return;
        balances.contest(asset);
      }
    }
  } finally {
    for (const payment of gathered) if (!paid.has(payment)) payment.over();
  }
}

/** Returns those that were paid; the others can't be paid with them. */
async function attemptTogether(
  context: Context,
  balances: BlindBalances,
  symbol: string,
  gathered: readonly WaitingPayment[],
) {
  const home = await homeOf(context);
  const lock = new BuildLock(
    (wish) => askStateOf(context, home, symbol, wish),
    () => balances.isContested(symbol),
  );
  return buildTogether(context, balances, { home, symbol, lock }, gathered).finally(() => lock.end());
}

async function buildTogether(
  context: Context,
  balances: BlindBalances,
  { home, symbol, lock }: { home: Home; symbol: string; lock: BuildLock },
  gathered: readonly WaitingPayment[],
) {
  const { finality } = await context.info();
  const ask = frozenPlans(context, home, () => lock.plan());
  const [planned] = await Promise.all([balances.takeState(symbol) ?? ask(), learn(context, balances, gathered)]);
  if (planned.policy) {
    balances.payAlone();
    return [];
  }
  const { content, plan } = planned;
  const { scope } = home;
  const { holder, knowledge, viewingKey } = content;
  const asset = homeAsset(content, symbol);
  const available = decryptState(home, content, asset.address, plan);
  const part = available.blind && blindPartOf(available.blind);
  const chain = await context.chain();
  const [final, finalCommitment, block, deadline, record] = await Promise.all([
    chain.client.getBlock({ blockTag: finality }),
    chain.availableOf(holder, asset.address, finality),
    chain.client.getBlockNumber(),
    chain.deadline(),
    chain.account(holder),
    context.asset(symbol),
  ]);
  if (record.limited) return [];
  const day = final.timestamp / DAY;
  const isFinal = readAvailableCommitment(finalCommitment) === hexToCommitment(plan.commitment);
  const epochs = part ? epochsOn(part.epochs, day, isFinal) : firstEpochs(day);
  const ready = async (payment: WaitingPayment) => {
    const { input } = payment.asked;
    const { to, memo, meant, idempotencyKey } = input;
    const units = parseAmount(input.amount, asset.decimals as Decimals);
    const found = balances.recipientOf(to);
    if (!found) return [];
    const recipient = await recipientAt(context, holder, to, found, { meant });
    if (isAddressEqual(recipient.owner, holder)) return [];
    const tag = blindRequestTag(knowledge, scope, holder, home.keyHash, idempotencyKey);
    const nameOf = (seed: Uint8Array) => {
      return { note: commitmentToHex(noteOf(seed, scope, recipient.address, asset.address, units).commitment) };
    };
    const places = { nameOf, payer: holder, to: recipient.address, asset };
    const marked = await unusedMarks(context, { epochs: [epochs.previous, epochs.current], scope, tag, ...places });
    // What was paid before, and what needs another note, is sent alone.
    if ("paid" in marked || marked.epoch?.opened !== 0) return [];
    const binding = bindingBytes(input.binding, "transfer");
    const paying = {
      to: recipient.address,
      amount: units,
      recipientViewingKey: viewingKeyOf(recipient),
      tag,
      ...(memo !== undefined && { memo }),
      ...(binding && { binding }),
    };
    return [{ payment, paying, note: nameOf(marked.seed).note }];
  };
  const all = (await Promise.all(gathered.map((payment) => ready(payment).catch(() => [])))).flat();
  let left = available.limit;
  const batch = all.filter(({ paying: { amount } }) => {
    if (amount > left) return false;
    left -= amount;
    return true;
  });
  if (batch.length < 2) return [];
  const tags = batch.map(({ paying }) => paying.tag);
  const { draft, call, input } = await planTransferMany({
    ...{ scope, account: holder, asset: asset.address, available, deadline },
    payerViewingKey: viewingKey,
    secret: knowledge,
    policyVersion: record.policyVersion,
    payments: batch.map(({ paying }) => paying),
    epoch: { seed: epochs.current.seed, opened: 0 },
    blind: blindPartBytes({ epochs, policy: part?.policy ?? NO_POLICY, tags }),
  });
  const { proof } = await (await context.prover())(call.circuit, input);
  const { old_available: old_commitment, new_available: new_commitment, policy_version } = draft;
  const documents = [{ old_commitment, new_commitment, policy_version, deadline: Number(deadline) }];
  const built = batch.map(({ payment, paying, note }) => {
    const pending: PendingPayment = {
      ...{ version: 1, id: payment.asked.input.idempotencyKey, kind: "transfer", chain_id: scope.chainId },
      ...{ ledger: scope.ledger, account: holder, to: lowerCase(paying.to), asset: asset.address, note },
      ...{ since_block: block.toString(), documents },
    };
    return { payment, pending };
  });
  for (const { payment, pending } of built) await payment.asked.input.onPending?.(pending);
  const json = bodyOf(
    home,
    planned,
    built.map(({ payment }) => payment),
    { ...draft, proof },
    fromHex(call.digest),
    lock.token,
  );
  const post = async () => {
    try {
      return await context.http.send("POST", PATH, { json, headers: context.bearer });
    } catch (error) {
      // It may still be paid, whatever this response or a later one says.
      if (!hasLeftNothing(error)) for (const { payment, pending } of built) payment.leave(pending, error);
      throw error;
    }
  };
  const { body, headers } = await postAgain(context.call, post);
  if (!headers.has("idempotent-replayed")) lock.token = undefined;
  balances.keepState(symbol, planned, { commitment: new_commitment, state: draft.next_state.encrypted });
  const { transfers } = body as { transfers: Transfer[] };
  return built.flatMap(({ payment, pending }, at) => {
    const response = transfers[at];
    return response ? [[payment, { response, seen: null, pending }] as const] : [];
  });
}

/** Asks for the addresses of recipients that this machine does not know yet. */
async function learn(context: Context, balances: BlindBalances, gathered: readonly WaitingPayment[]): Promise<void> {
  const all = [...new Set(gathered.map(({ asked }) => asked.input.to))];
  const unknown = all.filter((to) => balances.recipientOf(to) === undefined && to.length <= 100);
  if (unknown.length === 0) return;
  const { names } = await askNames(context, unknown, undefined);
  for (const { to, address } of names) if (address) balances.know(to, parseAddress(address));
}

function bodyOf(
  home: Home,
  { content }: PlanInForce,
  batch: readonly WaitingPayment[],
  document: object,
  digest: Uint8Array,
  lock_token: string | undefined,
): object {
  const inputs = batch.map(({ asked }) => asked.input);
  const keys = inputs.map(({ idempotencyKey }) => idempotencyKey).join("\t");
  const blind = {
    payments: inputs.map((input) => ({
      to: input.to,
      idempotency_key: input.idempotencyKey,
      fingerprint: fingerprintOf(home, content, input.idempotencyKey, input),
      ...detailsBody(input),
    })),
    document,
    signature: home.sign(PATH, keys, digest),
  };
  return { blind, lock_token };
}
