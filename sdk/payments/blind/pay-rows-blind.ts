import type { Address, Hex } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { blindRequestTag } from "@/lib/ledger/crypto/epochs";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import { payoutBatchSeed, payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { AvailableBalanceChangedError } from "../../api/api-errors";
import { HalcyonError } from "../../api/errors";
import { PinMismatch } from "../../api/pin-mismatch";
import { requireSameId } from "../../api/require-same-id";
import type { Payout } from "../../api/resources/payouts";
import { toHalcyonError } from "../../api/to-halcyon-error";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import { postAgain } from "../attempts/post-again";
import { isOpenedByOther } from "../attempts/undecrypted-seed";
import { viewingKeyOf } from "../payment";
import { type DecryptedPayoutRow, decryptRows } from "../payouts/payouts-by-wallet";
import { recipientAt } from "../recipient";
import { blindBalancesOf } from "./blind-balances";
import { decryptState, type Home, homeAsset } from "./home";
import { askNames, askStateOf, underPolicy } from "./payout-plan";
import { frozenPlans } from "./policy-terms";

/** How often in a row nothing may come of a try, because other payments came first or the service repeats itself. */
const MOST_STALLS = 6;
const STALL_MS = 250;
/** Errors of the account as a whole. The payout records the reason for anyone who opens it later. */
const PAUSES = ["insufficient_balance", "sync_required", "kyc_required"];

/** What a try reports to the service. */
interface Report {
  blind?: { document: object; signature: Hex };
  failed?: { row: number; error: string }[];
  alone?: number[];
  paused?: string;
}

interface OpenPayout {
  payout: Payout;
  key: Uint8Array;
}

/** A row that is to be paid, decrypted. */
type Readable = DecryptedPayoutRow & { text: NonNullable<DecryptedPayoutRow["text"]> };

/**
 * Pays the pending rows of a payout until none is left or the time is up. A row's seed, and so its note, is that of the
 * payout: in every try, on every machine, in its batch or alone. The ledger takes it once.
 *
 * @throws HalcyonError of the account as a whole
 */
export async function payRowsBlind(
  context: Context,
  home: Home,
  opened: OpenPayout,
  { until, progress }: { until: number; progress(now: Payout): void },
): Promise<Payout> {
  const id = opened.payout.payout_id;
  const tell = async (work: Report) => {
    const path = `/v1/payouts/${id}/resume` as const;
    const post = () => callApi<Payout>(context, "POST", path, { json: { work }, by: "key" });
    const payout = await requireSameId("payout_id", id, postAgain(context.call, post), true);
    progress(payout);
    return payout;
  };
  try {
    let payout = await tell({});
    for (let stalls = 0; payout.status === "processing" && payout.rows_pending > 0 && Date.now() < until; ) {
      const left = payout.rows_pending;
      payout = await payGroup(context, home, opened, tell);
      stalls = payout.rows_pending < left ? 0 : stalls + 1;
      if (stalls > MOST_STALLS) {
        throw new HalcyonError("unavailable", "Other payments from this balance came first each time. Try again.");
      }
      if (stalls > 1) await context.call.pause(STALL_MS * stalls);
    }
    return payout;
  } catch (error) {
    const met = toHalcyonError(error);
    if (!PAUSES.includes(met.code)) throw met;
    return tell({ paused: met.code });
  }
}

/** Pays the rows of the next batch together, or the next row if they can't be. */
async function payGroup(
  context: Context,
  home: Home,
  opened: OpenPayout,
  tell: (report: Report) => Promise<Payout>,
): Promise<Payout> {
  const encrypted = { payout: opened.payout, key: opened.key };
  const [next] = (await decryptRows(context, encrypted, { status: "pending", limit: 1 })).rows;
  if (!next) return tell({});
  const { rows: group } = await decryptRows(context, encrypted, { batch: next.row.batch });
  const pending = group.filter(({ row }) => row.status === "pending");
  // A row's note is that of its place: rows that are not in their places are paid one by one.
  const isInPlace = pending.every(({ row }, at) => row.place === at);
  const isWhole = pending.length === group.length && pending.length > 1 && isInPlace;
  const together = isWhole && pending.every(({ row }) => !row.alone);
  const rows = together ? pending : pending.slice(0, 1);
  const readable = rows.filter((one): one is Readable => isOwn(home, opened.key, one));
  const altered = rows.filter((one) => !readable.includes(one as Readable));
  if (altered.length > 0) return tell({ failed: altered.map(({ row }) => ({ row: row.row, error: "altered" })) });
  const [first] = readable;
  if (!first) return tell({});
  try {
    const balances = await blindBalancesOf(context);
    const { symbol } = first.text;
    // Payments from the same balance come between the groups of a payout.
    return await balances.inLine(context.call, symbol, async () => {
      balances.forget(symbol);
      const built = await build(context, home, opened, readable, together);
      return tell(built);
    });
  } catch (error) {
    if (error instanceof AvailableBalanceChangedError) return tell({});
    const failure = failureBy(error);
    if (failure === null) throw error;
    if (together) return tell({ alone: [first.row.batch] });
    return tell({ failed: [{ row: first.row.row, error: failure }] });
  }
}

/** Returns why a row fails by an error; null if the error is not of the rows, which are still to be paid. */
function failureBy(error: unknown): string | null {
  if (error instanceof PinMismatch) return "recipient_changed";
  if (!(error instanceof HalcyonError)) return null;
  const { code, param = "" } = error;
  if (code === "recipient_not_found" || code === "recipient_not_confidential_ready") return code;
  return code === "invalid_request" && /(^|\.)(to|note)$/.test(param) ? "transfer_failed" : null;
}

/** Reports whether a row is as its author wrote it, with the note that its payment makes. */
function isOwn({ scope }: Home, key: Uint8Array, { row, text }: DecryptedPayoutRow): boolean {
  if (!text) return false;
  const seed = payoutRowSeed(key, scope, row);
  return commitmentToHex(noteOf(seed, scope, text.address, text.asset, text.amount).commitment) === row.note;
}

/** Builds and proves rows over the newest balance; or returns those that can't be paid. */
async function build(
  context: Context,
  home: Home,
  { payout, key }: OpenPayout,
  rows: readonly Readable[],
  together: boolean,
): Promise<Report> {
  const [first] = rows;
  if (!first) return {};
  const { scope } = home;
  const names = rows.map(({ text }) => text.to);
  const { symbol } = first.text;
  const [{ content, policy, plan }, named] = await Promise.all([
    frozenPlans(context, home, () => askStateOf(context, home, symbol))(),
    askNames(context, [...new Set(names)], undefined),
  ]);
  if (policy) throw underPolicy();
  const { holder, knowledge } = content;
  const asset = homeAsset(content, symbol);
  const checked = new Map(named.names.map((name) => [name.to, name]));
  const failed = rows.flatMap(({ row: { row }, text }) => {
    const name = checked.get(text.to);
    if (name?.fault) return [{ row, error: failureOf(name.fault.code) }];
    return name?.address?.toLowerCase() === text.address ? [] : [{ row, error: "recipient_changed" }];
  });
  if (failed.length > 0) return { failed };
  const chain = await context.chain();
  const notes = rows.map(({ row, text }) => ({ to: text.address, note: row.note as Hex }));
  const used = await Promise.all(
    notes.map(async ({ to, note }) => (await chain.noteStatus(to, asset.address, hexToCommitment(note))) !== 0),
  );
  if (used.includes(true)) {
    const paying = { payer: holder, asset: asset.address };
    const others = await Promise.all(
      rows.map(async ({ row }, at) =>
        used[at] && (await isOpenedByOther(context, paying, notes.slice(at, at + 1))) ? [row.row] : [],
      ),
    );
    // The ledger has the others already: the service links them once it has read the block.
    return { failed: others.flat().map((row) => ({ row, error: "transfer_failed" })) };
  }
  const recipients = await Promise.all(
    rows.map(({ text }) => recipientAt(context, holder, text.to, text.address, { meant: text.address })),
  );
  const [record, deadline] = await Promise.all([chain.account(holder), chain.deadline()]);
  const payments = rows.map(({ text }, at) => ({
    to: text.address as Address,
    amount: text.amount,
    recipientViewingKey: viewingKeyOf(recipients[at] as (typeof recipients)[number]),
    ...(text.memo !== undefined && { memo: text.memo }),
  }));
  const { batch } = first.row;
  const asked = together ? `${payout.payout_id}/${batch}` : `${payout.payout_id}/row/${first.row.row}`;
  const common = {
    scope,
    account: holder,
    asset: asset.address,
    available: decryptState(home, content, asset.address, plan),
    policyVersion: record.policyVersion,
    deadline,
    payerViewingKey: content.viewingKey,
    secret: knowledge,
    tag: blindRequestTag(knowledge, scope, holder, home.keyHash, asked),
  };
  const [payment] = payments;
  if (!payment) return {};
  const planned = together
    ? await planTransferMany({ ...common, payments, seed: payoutBatchSeed(key, scope, batch) })
    : await planTransfer({ ...common, ...payment, seed: payoutRowSeed(key, scope, first.row) });
  const { proof } = await (await context.prover())(planned.call.circuit, planned.input);
  const path = `/v1/payouts/${payout.payout_id}/resume`;
  const signature = home.sign(path, "", fromHex(planned.call.digest));
  return { blind: { document: { ...planned.draft, proof }, signature } };
}

const failureOf = (code: string) =>
  code === "recipient_not_confidential_ready" ? "recipient_not_confidential_ready" : "recipient_not_found";
